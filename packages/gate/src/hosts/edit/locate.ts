import type { Format } from "../host.ts";
import { locateJson } from "./locate-json.ts";
import { locateToml } from "./locate-toml.ts";
import { locateYaml } from "./locate-yaml.ts";
import type { Located } from "./located.ts";

/** Where everything in a document stands; undefined where the document is broken. */
export function locate(format: Exclude<Format, "shell">, text: string): Located | undefined {
  switch (format) {
    case "json":
    case "jsonc":
      return locateJson(text);
    case "toml":
      return locateToml(text);
    case "yaml":
      return locateYaml(text);
  }
}
