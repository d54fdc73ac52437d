import { visible } from "@countersign/core";
import type { InitReport } from "../commands/init.ts";

export function sayInit({ path, of, hook }: InitReport): string {
  const lines = [`wrote ${visible(path)}; ${next[of]}`];
  if (hook !== undefined) lines.push("the same before each commit, in .pre-commit-config.yaml:", hook);
  return lines.join("\n");
}

const next: Readonly<Record<InitReport["of"], string>> = {
  project: "it changes nothing until you edit it; to let it loosen something: countersign trust",
  user: "it changes nothing until you edit it; to guard the servers of your hosts: countersign wrap",
  ci: "it needs a countersign.lock: countersign lock",
};
