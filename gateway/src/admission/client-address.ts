import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import proxyAddr from 'proxy-addr';

const subnetBits = 64;

/** Texts of addresses whose meaning is remembered. */
const mostSubnetsKept = 2_000;

/** With a zone and a port. What is longer is remembered by nobody. */
const longestAddress = 100;

interface Subnet {
  readonly name: string | null;
}

/**
 * Who a request comes from, to count by: an IPv4 address whole, of an IPv6 address the first 64 bits, for one household has all the rest.
 * `proxies` are addresses, ranges (10.0.0.0/8) or loopback, linklocal and uniquelocal, with commas between; X-Forwarded-For counts
 * only as far as each hop, from the nearest on, is one of them. Throws for what is none.
 */
export function createClientAddress(proxies: string): (request: IncomingMessage) => string {
  const list = proxies
    .split(',')
    .map((proxy) => proxy.trim())
    .filter((proxy) => proxy !== '');
  const trust = compiled(list);
  const subnets = new LRUCache<string, Subnet>({
    max: mostSubnetsKept,
    memoMethod: (text) => ({ name: subnetOf(text) }),
  });
  const known = (text: string): string | null =>
    text.length > longestAddress ? subnetOf(text) : subnets.memo(text).name;
  return (request) => {
    const own = request.socket.remoteAddress ?? '';
    // Not looked at at all without a proxy: whoever writes the header would be whoever he likes.
    const claimed = list.length === 0 ? own : proxyAddr(request, trust);
    return known(claimed) ?? known(own) ?? 'unknown';
  };
}

function compiled(list: string[]): (address: string, hop: number) => boolean {
  try {
    return proxyAddr.compile(list);
  } catch (error) {
    throw new Error(
      `TRUSTED_PROXIES names something that is no address or range: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

/** Null for what is no address: a proxy may pass on anything. */
function subnetOf(text: string): string | null {
  // Some proxies append the port.
  const address = text.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.split('%', 1)[0] ?? ''}/${subnetBits}`).toString()}/${subnetBits}`;
}
