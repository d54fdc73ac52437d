/** Who takes tool definitions: the interfaces of providers, and hosts with limits of their own. */
export const takers = [
  "openai",
  "anthropic",
  "gemini",
  "bedrock",
  "mistral",
  "claude-code",
  "cursor",
  "vscode",
] as const;
export type Taker = (typeof takers)[number];

/** What is limited. Each is one thing that can be looked for in an offer. */
export type Limited =
  /** The pattern is ours, anchored, and linear. */
  | { readonly is: "tool-name"; readonly pattern: RegExp; readonly says: string }
  /** The name as the host hands it on, with the server's before it. */
  | { readonly is: "joined-name"; readonly before: string; readonly between: string; readonly longest: number }
  | { readonly is: "tools"; readonly most: number }
  | { readonly is: "property-name"; readonly pattern: RegExp; readonly says: string }
  /** Keywords at the root of the input schema. */
  | { readonly is: "root-keywords"; readonly keywords: readonly string[] }
  /** Keywords anywhere in it. */
  | { readonly is: "keywords"; readonly keywords: readonly string[] }
  | { readonly is: "array-without-items" }
  | { readonly is: "formats"; readonly known: readonly string[] }
  | { readonly is: "type-list" }
  | { readonly is: "empty-description" };

export interface ProviderLimit {
  readonly taker: Taker;
  /**
   * `rejects`: the whole request fails, and with it every tool of every server. `drops`: hosts have to take it out before
   * they send it, so that the model is not told, or the host leaves the tool out.
   */
  readonly effect: "rejects" | "drops";
  readonly limited: Limited;
  /** Where that is documented or was seen: docs/lint.md. */
  readonly source: string;
  /** Whether the source is the provider's own documentation or its own error message; if not, somebody said so. */
  readonly verified: boolean;
}

const letters = "letters, digits, _ and -";
const upTo64 = /^[A-Za-z0-9_-]{1,64}$/;
const propertyNames = { pattern: /^[A-Za-z0-9_.-]{1,64}$/, says: `${letters} and ., at most 64` };
const combining = ["oneOf", "anyOf", "allOf"];

/** To add one: a row here, and its source in docs/lint.md. */
export const providerLimits: readonly ProviderLimit[] = [
  row(
    "openai",
    "rejects",
    { is: "tool-name", pattern: upTo64, says: `${letters}, at most 64` },
    "https://github.com/CherryHQ/cherry-studio/pull/2895",
  ),
  row("openai", "rejects", { is: "tools", most: 128 }, "https://github.com/openai/openai-openapi/pull/76"),
  row(
    "openai",
    "rejects",
    { is: "root-keywords", keywords: [...combining, "enum", "not"] },
    "https://github.com/langchain-ai/langchainjs/issues/9804",
  ),
  row("openai", "rejects", { is: "array-without-items" }, "https://github.com/openai/openai-agents-python/issues/392"),
  row(
    "anthropic",
    "rejects",
    { is: "tool-name", pattern: /^[A-Za-z0-9_-]{1,128}$/, says: `${letters}, at most 128` },
    "https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools",
  ),
  row(
    "anthropic",
    "rejects",
    { is: "root-keywords", keywords: combining },
    "https://github.com/anthropics/claude-code/issues/27337",
  ),
  row(
    "anthropic",
    "rejects",
    { is: "property-name", ...propertyNames },
    "https://github.com/anthropics/claude-code/issues/79418",
  ),
  row(
    "gemini",
    "rejects",
    {
      is: "tool-name",
      pattern: /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/,
      says: "a letter or _ first, then letters, digits, _, ., : and -, at most 64",
    },
    "https://github.com/google-gemini/gemini-cli/issues/7878",
  ),
  row("gemini", "rejects", { is: "tools", most: 512 }, "https://github.com/google-gemini/gemini-cli/issues/19083"),
  row("gemini", "rejects", { is: "array-without-items" }, "https://github.com/DEEIX-AI/DEEIX-Chat/issues/546"),
  row(
    "gemini",
    "rejects",
    { is: "formats", known: ["enum", "date-time"] },
    "https://github.com/google-gemini/gemini-cli/issues/3178",
  ),
  row(
    "gemini",
    "drops",
    {
      is: "keywords",
      keywords: [
        "additionalProperties",
        "const",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "propertyNames",
        "patternProperties",
      ],
    },
    "https://github.com/zed-industries/zed/issues/45552",
  ),
  row(
    "gemini",
    "drops",
    { is: "keywords", keywords: ["$ref", "$defs", "definitions"] },
    "https://github.com/DEEIX-AI/DEEIX-Chat/issues/546",
  ),
  row(
    "gemini",
    "drops",
    { is: "keywords", keywords: ["oneOf", "allOf", "not", "if", "multipleOf", "uniqueItems", "default"] },
    "https://github.com/pizza-bot-app/pizza-bot/issues/62",
    false,
  ),
  row("gemini", "drops", { is: "type-list" }, "https://github.com/zereight/gitlab-mcp/issues/166", false),
  row(
    "bedrock",
    "rejects",
    { is: "tool-name", pattern: upTo64, says: `${letters}, at most 64` },
    "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html",
  ),
  row(
    "bedrock",
    "rejects",
    { is: "empty-description" },
    "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html",
  ),
  row(
    "bedrock",
    "rejects",
    { is: "property-name", ...propertyNames },
    "https://github.com/aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws/issues/709",
  ),
  row(
    "mistral",
    "rejects",
    { is: "tool-name", pattern: upTo64, says: `${letters}, at most 64` },
    "https://github.com/Kochava-Studios/witsy/pull/164",
  ),
  row(
    "claude-code",
    "rejects",
    { is: "joined-name", before: "mcp__", between: "__", longest: 64 },
    "https://github.com/anthropics/claude-code/issues/21492",
  ),
  row(
    "cursor",
    "drops",
    { is: "joined-name", before: "", between: "", longest: 59 },
    "https://github.com/ComposioHQ/composio/issues/2788",
    false,
  ),
  row("cursor", "drops", { is: "tools", most: 40 }, "https://github.com/bun913/mcp-testrail/issues/6", false),
  row(
    "vscode",
    "rejects",
    { is: "tools", most: 128 },
    "https://github.com/microsoft/vscode-copilot-release/issues/11653",
  ),
];

function row(
  taker: Taker,
  effect: ProviderLimit["effect"],
  limited: Limited,
  source: string,
  verified = true,
): ProviderLimit {
  return { taker, effect, limited, source, verified };
}
