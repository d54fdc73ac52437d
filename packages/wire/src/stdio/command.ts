export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  /** The folder that it starts in, and all of its environment; otherwise this process's own. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}
