import type { Rule } from "../rule.ts";
import { htmlComment } from "./html-comment.ts";

export const descriptionRules: readonly Rule[] = [htmlComment];

export const schemaRules: readonly Rule[] = [];
