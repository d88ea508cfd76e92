import type { IncomingMessage } from 'node:http';
import type { Logger } from '@lectern/serving';
import { silentLogger } from '@lectern/serving';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import proxyAddr from 'proxy-addr';

const subnetBits = 64;

const maxMemoizedAddresses = 2_000;

/**
 * The maximum length of an address that is memoized. Every valid address, with a zone and a port,
 * is shorter. A longer text would only fill the memory.
 */
const maxAddressCharacters = 100;

/** Finds the client addresses of requests. */
export interface ClientAddresses {
  /**
   * Returns what the rate limit of an address counts: the IPv4 address, or the /64 network of the
   * IPv6 address. One household has a whole /64 network.
   */
  addressOf(request: IncomingMessage): string;
  /** Returns whether the request has X-Forwarded-For from a sender that is not trusted. */
  isBehindUntrustedProxy(request: IncomingMessage): boolean;
}

/** The memoized result of `subnetOf`. The object is needed because LRUCache does not store null. */
interface MemoizedSubnet {
  readonly subnet: string | null;
}

/**
 * `proxies` is the setting TRUSTED_PROXIES: addresses, ranges (10.0.0.0/8), `loopback`, `linklocal`
 * or `uniquelocal`, separated by commas. X-Forwarded-For is read from its end, as far as each hop
 * is a trusted proxy. Only the first sender of X-Forwarded-For that is not trusted is logged, because
 * it may be a proxy that the operator forgot. Throws if an item of `proxies` is invalid.
 */
export function createClientAddresses(proxies: string, log: Logger = silentLogger): ClientAddresses {
  const list = proxies
    .split(',')
    .map((proxy) => proxy.trim())
    .filter((proxy) => proxy !== '');
  const isTrusted = compileProxies(list);
  const subnets = new LRUCache<string, MemoizedSubnet>({
    max: maxMemoizedAddresses,
    memoMethod: (text) => ({ subnet: subnetOf(text) }),
  });
  const memoizedSubnetOf = (text: string): string | null =>
    text.length > maxAddressCharacters ? subnetOf(text) : subnets.memo(text).subnet;
  let isWarned = false;
  const isBehindUntrustedProxy = ({ headers, socket }: IncomingMessage): boolean =>
    headers['x-forwarded-for'] !== undefined && !isTrusted(socket.remoteAddress ?? '', 0);
  return {
    isBehindUntrustedProxy,
    addressOf(request) {
      const own = request.socket.remoteAddress ?? '';
      if (!isWarned && isBehindUntrustedProxy(request)) {
        isWarned = true;
        log.warn(
          { proxy: own },
          'X-Forwarded-For is ignored, because its sender is not in TRUSTED_PROXIES: if it is your proxy, all its clients share one rate limit',
        );
      }
      // Without a trusted proxy X-Forwarded-For is ignored: a client could claim any address.
      const claimed = list.length === 0 ? own : proxyAddr(request, isTrusted);
      return memoizedSubnetOf(claimed) ?? memoizedSubnetOf(own) ?? 'unknown';
    },
  };
}

function compileProxies(list: string[]): (address: string, hop: number) => boolean {
  try {
    return proxyAddr.compile(list);
  } catch (error) {
    throw new Error(
      `TRUSTED_PROXIES names something that is not an address or range: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

/**
 * Returns the IPv4 address in the text, or the /64 network of the IPv6 address in the text. Returns
 * null if the text is not an address: a proxy may forward any text.
 */
function subnetOf(text: string): string | null {
  // Removes the port that some proxies append.
  const address = text.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.split('%', 1)[0] ?? ''}/${subnetBits}`).toString()}/${subnetBits}`;
}
