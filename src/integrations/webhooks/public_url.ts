/** Which URLs a sender of webhooks may call: those of the public internet. */

/**
 * Returns whether a URL is one to which strangers may direct requests of this server: `https:`, without credentials, and
 * with a host that is neither private, nor loopback, link-local or otherwise special (RFC 6890), nor a name that only a
 * local network has. It does not look up names.
 */
export function isPublicUrl({ protocol, username, password, hostname }: URL): boolean {
  if (protocol !== "https:" || username !== "" || password !== "") return false;
  if (hostname.startsWith("[")) return isPublicIpv6(hostname.slice(1, -1));
  const name = hostname.replace(/\.$/, "");
  if (/^\d+(?:\.\d+){3}$/.test(name)) return isPublicIpv4(toNumber(name)); // a URL has every IPv4 address in this form
  return name.includes(".") && !localName.test(name);
}

/** Matches names that only a local network or this machine has, and those with an empty label. */
const localName = /^\.|\.(?:\.|(?:localhost|localdomain|local|internal|intranet|lan|home|corp|home\.arpa)?$)/;

/** The special blocks of IPv4: the first address, and the number of leading bits. */
const specialIpv4: readonly (readonly [address: string, bits: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

function isPublicIpv4(address: number): boolean {
  return !specialIpv4.some(([first, bits]) => address >>> (32 - bits) === toNumber(first) >>> (32 - bits));
}

function toNumber(address: string): number {
  return address.split(".").reduce((number, part) => (number << 8 | Number(part)) >>> 0, 0);
}

/**
 * Only global unicast addresses (2000::/3) are public, except for those of documentation, and those that contain an IPv4
 * address that is not: 6to4 (2002::/16). Teredo (2001::/23) hides one. NAT64 and mapped addresses are outside of it.
 */
function isPublicIpv6(address: string): boolean {
  const groups = toGroups(address);
  const [first = 0, second = 0, third = 0] = groups;
  if (first >>> 13 !== 1) return false;
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return false;
  if (first === 0x3fff && second < 0x1000) return false;
  return first !== 0x2002 || isPublicIpv4((second << 16 | third) >>> 0);
}

/** Returns the eight groups of an address, as a URL has it. */
function toGroups(address: string): number[] {
  const [head = "", tail] = address.split("::").map((part) => part === "" ? [] : part.split(":")) as [
    string[],
    string[]?,
  ];
  const before = [head].flat();
  const after = tail ?? [];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after].map((group) => parseInt(group, 16));
}
