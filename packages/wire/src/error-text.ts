import { type Json, memberOf } from "@countersign/core";

/** The error object of an answer of Countersign's own. `message` and `data` are ours; nothing of a server's goes into them. */
export function errorText(code: number, message: string, data?: string): string {
  return `{"code":${code},"message":"Countersign ${message}"${data === undefined ? "" : `,"data":${data}`}}`;
}

/** What an unapproved server's error becomes: its code, and of its data the protocol versions that a client negotiates by. */
export function bareError(error: Json): string {
  const code = memberOf(error, "code");
  const number = code?.is === "number" && /^-?[0-9]{1,6}$/.test(code.token) ? code.token : "-32603";
  const supported = memberOf(memberOf(error, "data"), "supported");
  const items = supported?.is === "array" ? supported.items : [];
  const versions = items.map((one) => (one.is === "string" ? one.value : ""));
  const negotiates = versions.length > 0 && versions.every((one) => /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(one));
  const message = number === "-32601" ? "Method not found" : "The server refused this request";
  const data = negotiates ? `,"data":{"supported":${JSON.stringify(versions)}}` : "";
  return `{"code":${number},"message":"${message}"${data}}`;
}
