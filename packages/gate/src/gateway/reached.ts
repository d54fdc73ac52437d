import type { Offer } from "@countersign/core";
import type { Command, RemoteSideOptions } from "@countersign/wire";
import type { Share } from "./gateway-settings.ts";

/** How a server is reached, with everything at hand that it takes. Asked for anew each time: files and variables change. */
export type Reached =
  | { readonly is: "stdio"; readonly share: Share; readonly command: () => Command; readonly launch: () => Offer }
  | { readonly is: "http"; readonly remote: () => RemoteSideOptions["remote"]; readonly launch: () => Offer };
