import manifest from "../package.json" with { type: "json" };

/** Of this Countersign. */
export const { version } = manifest;
