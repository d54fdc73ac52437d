import { describe, expect, test } from "vitest";
import { asServerName } from "./address.ts";
import { type Binding, emptySnapshot, type Snapshot, withdrawnKey } from "./binding.ts";
import { digestOfCanonical } from "./digest.ts";
import { httpLaunch, launchStanding, stdioLaunch } from "./launch.ts";

const server = asServerName("files");
const one = digestOfCanonical("launch", '"one"');
const other = digestOfCanonical("launch", '"other"');

function bound(kind: "launch" | "tool", more: Partial<Binding> = {}): [string, Binding] {
  if (server === undefined) throw new RangeError("no server name");
  const name = kind === "launch" ? stdioLaunch.name : "read";
  const policy = digestOfCanonical("policy", "[]");
  const digests = { received: one, contract: one, rendered: one, ruleset: policy, policy };
  const rest = { plan: { prose: "as-sent" }, acknowledged: [], by: "ada", seq: 1 } as const;
  return [`${kind} ${name}`, { address: { server, kind, name }, ...digests, ...rest, ...more }];
}

function standing(more: Partial<Snapshot>) {
  return launchStanding({ ...emptySnapshot, seq: 1, now: 1_000, launch: one, ...more });
}

describe("launchStanding()", () => {
  test("approves the launch that is bound, and no other", () => {
    expect(standing({ bindings: new Map([bound("launch"), bound("tool")]) })).toBe("approved");
    expect(standing({ bindings: new Map([bound("launch"), bound("tool")]), launch: other })).toBe("held");
  });

  test("[http.launch] approves the launch of a server at a URL, and holds another one", () => {
    const [key, binding] = bound("launch");
    const address = { ...binding.address, ...httpLaunch };
    const bindings = new Map([[key.replace("stdio", "http"), { ...binding, address }], bound("tool")]);
    expect(standing({ bindings })).toBe("approved");
    expect(standing({ bindings, launch: other })).toBe("held");
    expect(standing({ bindings, withdrawn: new Map([[withdrawnKey(one, "launch http"), "REVOKED"]]) })).toBe("held");
  });

  test("lets a server be started at first sight, until anything of it is approved", () => {
    expect(standing({})).toBe("first-sight");
    expect(standing({ bindings: new Map([bound("tool")]) })).toBe("held");
  });

  test("holds what somebody decided against, even at first sight", () => {
    for (const decision of ["REJECTED", "REVOKED"] as const) {
      const withdrawn = new Map([[withdrawnKey(one, "launch stdio"), decision]]);
      expect(standing({ withdrawn })).toBe("held");
      expect(standing({ withdrawn, bindings: new Map([bound("tool")]) })).toBe("held");
    }
  });

  test("holds a launch whose approval has run out", () => {
    expect(standing({ bindings: new Map([bound("launch", { expires: 1_001 })]) })).toBe("approved");
    expect(standing({ bindings: new Map([bound("launch", { expires: 1_000 })]) })).toBe("held");
  });

  test("has nothing to hold where nothing was launched", () => {
    expect(standing({ launch: undefined, bindings: new Map([bound("tool")]) })).toBe("approved");
  });
});
