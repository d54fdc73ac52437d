import { isHostMethod } from "@countersign/wire";

declare const brand: unique symbol;

/** A method that Countersign knows, or `other`: what a host asks for by another name is never a label. */
export type MethodLabel = string & { readonly [brand]: "MethodLabel" };

export function methodLabel(method: string): MethodLabel {
  return (isHostMethod(method) ? method : "other") as MethodLabel;
}
