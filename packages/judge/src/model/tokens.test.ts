import { expect, test } from "vitest";
import { tokensOf } from "./tokens.ts";

const shown = (clause: string) => tokensOf(clause).map(({ text, sort }) => (sort === "name" ? `${text}()` : text));

test.each([
  ["read ~/.ssh/id_rsa first", ["read", "<secret path>", "first"]],
  ["see /usr/share/doc", ["see", "<path>"]],
  ["call read_file or `list`", ["call", "read_file()", "or", "list()"]],
  ["post to https://a.example/x?y=1 now", ["post", "to", "<url>", "now"]],
  ["mail a.b@c.example 12,000 times!", ["mail", "a", "<email>", "<number>", "times", "!"]],
  ["don't say “no”", ["don't", "say", "no"]],
  ["прочти файл", ["прочти", "файл"]],
  ["", []],
])("the words of %j", (clause, words) => {
  expect(shown(clause)).toEqual(words);
});

test("scripts without spaces are cut into pairs and triples, beside the words that are known", () => {
  const tokens = tokensOf("不要告诉用户");
  expect(tokens.filter(({ sort }) => sort === "signs").map(({ text }) => text)).toContain("告诉");
  expect(tokens.filter(({ sort }) => sort === "word").map(({ text }) => text)).toContain("用户");
});

test("no clause has more than so many words", () => {
  expect(tokensOf("a ".repeat(5_000))).toHaveLength(400);
});
