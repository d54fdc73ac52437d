import { asServerName, type Digest, type Ruling, type ServerName } from "@countersign/core";
import { describe, expect, test } from "vitest";
import { HostView } from "./host-view.ts";

const source = "tools/list";
const server = asServerName("raw") as ServerName;

const digest = `cs1:sha256:${"0".repeat(64)}` as Digest;

function bound(...names: readonly string[]): readonly Ruling[] {
  return names.map((name) => ({
    address: { server, kind: "tool", name },
    reasons: [],
    verdict: "bind",
    received: digest,
    rendering: { text: "{}", digest },
  }));
}

describe("what a host believes [checkpoint.told]", () => {
  test("is outdated only where it was given a list, and the set of what is bound is another", () => {
    const view = new HostView();
    expect(view.isOutdated(source, bound("a"))).toBe(false);
    view.show(source, bound("a", "b"));
    expect(view.isOutdated(source, bound("b", "a"))).toBe(false);
    expect(view.isOutdated(source, bound("a"))).toBe(true);
    expect(view.isOutdated(source, undefined)).toBe(true);
  });

  test("is outdated once for each new state, until it has a list again", () => {
    const view = new HostView();
    view.show(source, bound("a", "b"));
    view.told(source, bound("a"));
    expect(view.isOutdated(source, bound("a"))).toBe(false);
    expect(view.isOutdated(source, bound())).toBe(true);
    // What it was given is true again, though it does not know.
    expect(view.isOutdated(source, bound("a", "b"))).toBe(false);
    view.show(source, bound("a"));
    expect(view.isOutdated(source, bound("a", "b"))).toBe(true);
  });

  test("is known to change where the server said so, until it has a list again or the change is known", () => {
    const view = new HostView();
    view.show(source, bound("a"));
    view.toldBefore(source);
    expect(view.wasToldBefore(source)).toBe(true);
    view.told(source, bound());
    expect(view.wasToldBefore(source)).toBe(false);
    view.toldBefore(source);
    view.show(source, bound());
    expect(view.wasToldBefore(source)).toBe(false);
  });

  test("is outdated by any list, an empty one too, where it was told that it is given none", () => {
    const view = new HostView();
    view.lacks(source);
    expect(view.isOutdated(source, undefined)).toBe(false);
    expect(view.isOutdated(source, bound())).toBe(true);
  });
});
