/** One thing that was looked at. */
export interface Fact {
  /** A server's name, or what else it is about. */
  readonly about: string;
  readonly code: string;
  /** `todo` for what somebody has to do something about. */
  readonly is: "well" | "note" | "todo";
  /** Nothing that a server wrote. */
  readonly text: string;
  /** What a server wrote, where that may be shown. */
  readonly stderr?: readonly string[];
}
