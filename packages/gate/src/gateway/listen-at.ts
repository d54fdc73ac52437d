import type { Listen } from "./gateway-settings.ts";

/** `127.0.0.1:7420`, `[::1]:7420`, `localhost:7420`, or a port alone, which is the loopback's. Undefined for anything else. */
export function listenAt(text: string): Listen | undefined {
  const { bracketed, name, port } = form.exec(text)?.groups ?? {};
  if (port === undefined || Number(port) > 65_535) return undefined;
  return { host: bracketed ?? name ?? "127.0.0.1", port: Number(port) };
}

const form =
  /^(?:(?:\[(?<bracketed>[0-9A-Fa-f:.]{2,45})\]|(?<name>[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?)):)?(?<port>[0-9]{1,5})$/;
