import { type Json, memberOf } from "@countersign/core";
import type { Expected } from "./host-requests.ts";

/**
 * The calls whose results come later, by their tasks: what is held against the result of a call is held against that of its
 * task. A server that makes up tasks must cost no memory: the oldest are forgotten, and their results with them.
 */
export class Tasks {
  readonly #calls = new Map<string, NonNullable<Expected["called"]>>();

  /** @param result of a call; it may be that there is no result yet, but a task */
  begin(called: NonNullable<Expected["called"]>, result: Json): void {
    const id = memberOf(result, "taskId") ?? memberOf(memberOf(result, "task"), "taskId");
    if (id?.is !== "string") return;
    this.#calls.delete(id.value);
    this.#calls.set(id.value, called);
    for (const oldest of this.#calls.keys()) {
      if (this.#calls.size <= most) break;
      this.#calls.delete(oldest);
    }
  }

  /** @param of what a host asks of a task, or a server tells of one */
  called(of: Json | undefined): Expected["called"] {
    const id = memberOf(of, "taskId");
    return id?.is === "string" ? this.#calls.get(id.value) : undefined;
  }
}

const most = 1_000;

/** The result of the call itself: within what is said of its task, or the answer to `tasks/result` (2025-11-25). */
export function resultOfTask(method: string, result: Json): Json | undefined {
  return method === "tasks/result" ? result : memberOf(result, "result");
}
