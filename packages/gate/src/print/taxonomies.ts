/** The catalogues that the ids in a rule's `taxa` are of. */
export interface Taxonomy {
  readonly name: string;
  readonly organization: string;
  readonly version: string;
  readonly prefix: string;
  /** What the ids that we use are called there. */
  readonly names: ReadonlyMap<string, string>;
}

export const taxonomies: readonly Taxonomy[] = [
  {
    name: "OWASP MCP Top 10",
    organization: "OWASP",
    version: "0.1",
    prefix: "OWASP-",
    names: new Map([
      ["OWASP-MCP01", "Token Mismanagement & Secret Exposure"],
      ["OWASP-MCP02", "Privilege Escalation via Scope Creep"],
      ["OWASP-MCP03", "Tool Poisoning"],
      ["OWASP-MCP04", "Supply Chain & Dependency Tampering"],
      ["OWASP-MCP06", "Intent Flow Subversion"],
      ["OWASP-MCP09", "Shadow MCP Servers"],
      ["OWASP-MCP10", "Context Injection & Over-Sharing"],
    ]),
  },
  {
    name: "MITRE ATLAS",
    organization: "MITRE",
    version: "5.6.0",
    prefix: "AML.",
    names: new Map([
      ["AML.T0051.001", "LLM Prompt Injection: Indirect"],
      ["AML.T0053", "AI Agent Tool Invocation"],
      ["AML.T0068", "LLM Prompt Obfuscation"],
      ["AML.T0074", "Masquerading"],
      ["AML.T0081", "Modify AI Agent Configuration"],
      ["AML.T0083", "Credentials from AI Agent Configuration"],
      ["AML.T0086", "Exfiltration via AI Agent Tool Invocation"],
      ["AML.T0098", "AI Agent Tool Credential Harvesting"],
      ["AML.T0109", "AI Supply Chain Rug Pull"],
      ["AML.T0110", "AI Agent Tool Poisoning"],
    ]),
  },
  {
    name: "SAFE-MCP",
    organization: "OpenSSF",
    version: "1",
    prefix: "SAFE-",
    names: new Map([
      ["SAFE-T1001", "Tool Poisoning Attack"],
      ["SAFE-T1201", "MCP Rug Pull Attack"],
      ["SAFE-T1402", "Instruction Steganography"],
      ["SAFE-T1501", "Full-Schema Poisoning"],
    ]),
  },
];
