import { expect, test } from "vitest";
import { asServerName } from "./address.ts";
import { readJson } from "./json.ts";
import { surfaceOf, textOf } from "./surface.ts";

test("textOf() gives the text of keys and strings, and of nothing else", () => {
  const server = asServerName("files");
  const reading = readJson('{"a":"\\u0062","c":[1,null,{}]}');
  if (server === undefined || reading.is === "refused") throw new Error("nothing to look at");
  const { address, carriers } = surfaceOf({ server, kind: "tool", name: "n" }, reading.json);
  expect(address).toEqual({ server: "files", kind: "tool", name: "n" });
  expect(carriers.map(textOf)).toEqual(["a", "b", "c", undefined, undefined, undefined]);
});
