import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { configSchema } from "../packages/gate/src/config-schema.ts";

/**
 * The JSON Schema of countersign.jsonc, for editors: `node tools/check-config-schema.ts` fails when the published one is not
 * what the config is read with; `--write` makes it anew.
 */
const file = join(resolve(import.meta.dirname, ".."), "packages/gate/countersign.schema.json");
const schema = { title: "countersign.jsonc", ...z.toJSONSchema(configSchema, { target: "draft-2020-12" }) };
const text = `${JSON.stringify(schema, null, 2)}\n`;

if (process.argv.includes("--write")) writeFileSync(file, text);
else if (readFileSync(file, "utf8") !== text) {
  process.stderr.write(
    `${file} is not the schema that the config is read with; run: node tools/check-config-schema.ts --write\n`,
  );
  process.exitCode = 1;
}
