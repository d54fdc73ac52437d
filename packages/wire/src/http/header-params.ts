/** An argument of a tool that is repeated in a header: `Mcp-Param-<name>`, from the value at `path` in the arguments. */
export interface HeaderParam {
  readonly name: string;
  readonly path: readonly string[];
}
