import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashOfKey, isHashOf, keyIdIn, looksLikeKey, newKey } from "./key.ts";

describe("newKey()", () => {
  test("[access.keys] has its identifier in it, and a hash by which it is known", () => {
    const { id, text, hash } = newKey();
    expect(text).toMatch(/^csk_[0-9A-Za-z]{57}$/);
    expect(keyIdIn(text)).toBe(id);
    expect(isHashOf(text, hash)).toBe(true);
    expect(isHashOf(newKey().text, hash)).toBe(false);
    expect(new Set(Array.from({ length: 100 }, () => newKey().text)).size).toBe(100);
  });

  test("is spelled the same for the same bits", () => {
    // As Python makes it, with zlib.crc32 and hashlib.sha256.
    const ones = newKey((bytes) => Buffer.alloc(bytes, 0xff));
    expect(ones.text).toBe("csk_8mt7Fhc7yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp14UaCTu");
    expect(ones.hash).toBe("sha256:5d1372ae8f5c4458f376111f886f13eefa91fa6075f1081fb7aa58326332d744");
  });

  test("loses none of its random bits", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat(255), fc.nat(31), (bytes, byte, at) => {
        fc.pre(bytes[at] !== byte);
        const made = (secret: Uint8Array) =>
          newKey((count) => (count === 32 ? Buffer.from(secret) : Buffer.alloc(count)));
        expect(made(bytes).text).not.toBe(made(bytes.with(at, byte)).text);
      }),
    );
  });
});

describe("keyIdIn()", () => {
  const { text } = newKey();

  test("[access.keys] finds any one character that is not what it was, missing or too many", () => {
    for (let at = 4; at < text.length; at++) {
      const other = text[at] === "A" ? "B" : "A";
      expect(keyIdIn(`${text.slice(0, at)}${other}${text.slice(at + 1)}`), `at ${at}`).toBeUndefined();
      expect(keyIdIn(text.slice(0, at) + text.slice(at + 1)), `without ${at}`).toBeUndefined();
    }
    for (const wrong of [`${text} `, ` ${text}`, `${text}\n`, text.toUpperCase(), text.slice(4), "", "csk_"]) {
      expect(keyIdIn(wrong)).toBeUndefined();
    }
  });

  test("finds two neighbours that changed their places", () => {
    for (let at = 4; at < text.length - 1; at++) {
      if (text[at] === text[at + 1]) continue;
      const swapped = `${text.slice(0, at)}${text[at + 1]}${text[at]}${text.slice(at + 2)}`;
      expect(keyIdIn(swapped), `at ${at}`).toBeUndefined();
    }
  });

  test("what begins like a key was meant for one", () => {
    expect(looksLikeKey(text)).toBe(true);
    expect(looksLikeKey("eyJhbGciOiJSUzI1NiJ9.e30.x")).toBe(false);
    expect(hashOfKey("csk_")).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});
