import { BlockList, isIP } from "node:net";

const addresses = new BlockList();
addresses.addSubnet("127.0.0.0", 8, "ipv4");
addresses.addAddress("::1", "ipv6");

/** The few that every request of a gateway brings along. */
const known = new Map<string, boolean>();

/** Whether an address or a host's name, as somebody writes it, is this machine's own and no other's. */
export function isLoopback(host: string): boolean {
  const before = known.get(host);
  if (before !== undefined) return before;
  const is = looksLoopback(host);
  if (known.size < mostKnown) known.set(host, is);
  return is;
}

const mostKnown = 256;

function looksLoopback(host: string): boolean {
  const bare = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  switch (isIP(bare)) {
    case 4:
      return addresses.check(bare, "ipv4");
    case 6:
      // Of a v4 address in a v6 one, BlockList asks the v4 rules.
      return addresses.check(bare, "ipv6");
    default:
      return bare.toLowerCase() === "localhost";
  }
}
