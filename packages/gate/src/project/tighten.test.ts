import { describe, expect, test } from "vitest";
import { defaults, over, type Said } from "../config.ts";
import { tighten } from "./tighten.ts";

/** What comes of a project's wish, and what it may not have. */
function wish(project: Said, user: Said = {}) {
  const { value, loosens } = tighten(over(defaults, user), project);
  return { ...value, loosens: loosens.map(({ at, value }) => `${at.join(".")}=${String(value)}`) };
}

describe("tighten()", () => {
  test("lets nothing be trusted that the user does not trust", () => {
    expect(wish({ trusted: true })).toMatchObject({ trusted: false, loosens: ["trusted=true"] });
    expect(wish({ trusted: false }, { trusted: true })).toMatchObject({ trusted: false, loosens: [] });
  });

  test("lets no method pass that the user does not allow [asks.allow-bounds]", () => {
    const user: Said = { allow: ["vendor/a"] };
    expect(wish({ allow: ["vendor/b", "sampling/createMessage"] }, user)).toMatchObject({
      allow: ["vendor/a"],
      loosens: ["allow=vendor/b,sampling/createMessage"],
    });
    expect(wish({ allow: ["vendor/b"] }).allow).toBeUndefined();
  });

  test("lets quarantine win", () => {
    expect(wish({ firstSight: "approve-clean" })).toMatchObject({
      firstSight: "quarantine",
      loosens: ["firstSight=approve-clean"],
    });
    expect(wish({ firstSight: "quarantine" }, { firstSight: "approve-clean" })).toMatchObject({
      firstSight: "quarantine",
      loosens: [],
    });
  });

  test("lets strict win", () => {
    expect(wish({ strict: false }, { strict: true })).toMatchObject({ strict: true, loosens: ["strict=false"] });
    expect(wish({ strict: true })).toMatchObject({ strict: true, loosens: [] });
  });

  test("lets the stronger effect win, rule by rule", () => {
    const user: Said = { severities: { precedence: "ask", rename: "note", concealment: "refuse" } };
    const project: Said = { severities: { precedence: "refuse", rename: "off", concealment: "ask" } };
    expect(wish(project, user)).toMatchObject({
      severities: { precedence: "refuse", rename: "note", concealment: "refuse" },
      loosens: ["severities.rename=off", "severities.concealment=ask"],
    });
  });

  test("lets only a refusal be stronger than a rule's own effects", () => {
    expect(wish({ severities: { precedence: "ask", rename: "refuse" } })).toMatchObject({
      severities: { rename: "refuse" },
      loosens: ["severities.precedence=ask"],
    });
  });

  test("lets the stricter win at every checkpoint", () => {
    const user: Said = { checkpoints: { refetchOnCall: true } };
    expect(wish({ checkpoints: { load: false, change: false, refetchOnCall: false } }, user)).toMatchObject({
      checkpoints: { load: true, change: true, refetchOnCall: true },
      loosens: ["checkpoints.load=false", "checkpoints.change=false", "checkpoints.refetchOnCall=false"],
    });
    expect(wish({ checkpoints: { change: true } }, { checkpoints: { change: false } })).toMatchObject({
      checkpoints: { change: true },
      loosens: [],
    });
    expect(wish({ checkpoints: { refetchOnCall: true } })).toMatchObject({
      checkpoints: { load: true, refetchOnCall: true },
      loosens: [],
    });
  });

  test("lets the shorter time win, however it is written [checkpoint.project]", () => {
    const maxAge = (project: number | string, user?: number | string) => {
      const { checkpoints, loosens } = wish(
        { checkpoints: { maxAge: project } },
        user === undefined ? {} : { checkpoints: { maxAge: user } },
      );
      return [checkpoints?.maxAge, loosens];
    };
    expect(maxAge("10m")).toEqual(["10m", []]);
    expect(maxAge("90s", "10m")).toEqual(["90s", []]);
    expect(maxAge(600, "9m")).toEqual(["9m", ["checkpoints.maxAge=600"]]);
    expect(maxAge("1h", 60)).toEqual([60, ["checkpoints.maxAge=1h"]]);
  });

  test("changes nothing that the project does not name", () => {
    const user: Said = { trusted: true, firstSight: "approve-clean", severities: { rename: "off" } };
    expect(tighten(over(defaults, user), {})).toEqual({ value: over(defaults, user), loosens: [] });
  });
});
