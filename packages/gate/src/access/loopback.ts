import { BlockList, isIP } from "node:net";

const addresses = new BlockList();
addresses.addSubnet("127.0.0.0", 8, "ipv4");
addresses.addAddress("::1", "ipv6");

/** Whether an address or a host's name, as somebody writes it, is this machine's own and no other's. */
export function isLoopback(host: string): boolean {
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
