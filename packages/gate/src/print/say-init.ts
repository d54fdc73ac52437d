import { visible } from "@countersign/core";
import type { InitReport } from "../commands/init.ts";

export function sayInit({ path, of }: InitReport): string {
  const next =
    of === "project"
      ? "it changes nothing until you edit it; to let it loosen something: countersign trust"
      : "it changes nothing until you edit it; to guard the servers of your hosts: countersign wrap";
  return `wrote ${visible(path)}; ${next}`;
}
