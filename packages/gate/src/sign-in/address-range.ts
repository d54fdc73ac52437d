import { BlockList, isIP } from "node:net";

/** From where an address can be reached: this machine, its network, anywhere; or it is none to speak to. */
export type AddressRange = "loopback" | "private" | "public" | "never";

/** An address without brackets. Anything else is `never`. */
export function addressRange(address: string): AddressRange {
  const family = isIP(address);
  if (family === 0) return "never";
  if (family === 6) {
    const inner = embedded(address);
    if (inner !== undefined) return addressRange(inner);
  }
  const type = family === 4 ? "ipv4" : "ipv6";
  if (loopback.check(address, type)) return "loopback";
  if (inside.check(address, type)) return "private";
  return never.check(address, type) ? "never" : "public";
}

const loopback = listOf(["127.0.0.0", 8], ["::1", 128]);

/** RFC 1918, RFC 6598, RFC 4193; and RFC 2544, which some local proxies give to every name. */
const inside = listOf(
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["100.64.0.0", 10],
  ["198.18.0.0", 15],
  ["fc00::", 7],
);

/** This host, link-local (where clouds keep the metadata of a machine), multicast, reserved, and tunnels into IPv4. */
const never = listOf(
  ["0.0.0.0", 8],
  ["169.254.0.0", 16],
  ["192.0.0.0", 24],
  ["224.0.0.0", 3],
  ["::", 128],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
  ["2001::", 32],
  ["2002::", 16],
);

function listOf(...subnets: readonly (readonly [net: string, prefix: number])[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, isIP(net) === 4 ? "ipv4" : "ipv6");
  return list;
}

/** The IPv4 address in a mapped, compatible or translated one: `::ffff:10.0.0.1`, `64:ff9b::a00:1`. */
function embedded(address: string): string | undefined {
  const spelled = URL.parse(`http://[${address.replace(/%.*$/, "")}]/`)?.hostname.slice(1, -1) ?? "";
  const groups = /^(?:::ffff:|64:ff9b::|::)(?:([0-9a-f]{1,4}):)([0-9a-f]{1,4})$/.exec(spelled);
  if (groups === null) return undefined;
  const bits = Number.parseInt(groups[1] ?? "", 16) * 65_536 + Number.parseInt(groups[2] ?? "", 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join(".");
}
