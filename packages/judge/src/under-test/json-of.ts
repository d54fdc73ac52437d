import { type Json, readJson } from "@countersign/core";

export function jsonOf(text: string): Json {
  const reading = readJson(text);
  if (reading.is === "refused") throw new Error(reading.refusal.code);
  return reading.json;
}
