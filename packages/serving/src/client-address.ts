import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import proxyAddr from 'proxy-addr';
import { errorMessage, type Logger, silentLogger } from './logger';
import type { ConsumeRateLimit } from './response';
import { splitList, textFor } from './settings';

const subnetBits = 64;

const maxMemoizedAddresses = 2_000;

/** Longer texts are not memoized. Real addresses are shorter, even with a zone and a port. */
const maxAddressCharacters = 100;

/**
 * Reads X-Forwarded-For from its end, up to the first address that is not in `proxies` (the setting TRUSTED_PROXIES).
 * Logs its first untrusted sender, perhaps a forgotten proxy. Throws if `proxies` is invalid.
 */
export function createClientAddresses(proxies: string, log: Logger = silentLogger) {
  const list = splitList(proxies);
  const isTrusted = compileProxies(list);
  const subnets = new LRUCache<string, string>({ max: maxMemoizedAddresses, memoMethod: subnetOf });
  const memoizedSubnetOf = (text: string): string =>
    text.length > maxAddressCharacters ? subnetOf(text) : subnets.memo(text);
  let isWarned = false;
  const isBehindUntrustedProxy = ({ headers, socket }: IncomingMessage): boolean =>
    headers['x-forwarded-for'] !== undefined && !isTrusted(socket.remoteAddress ?? '', 0);
  return {
    /** Returns whether the request has X-Forwarded-For from a sender that is not trusted. */
    isBehindUntrustedProxy,
    /** The IPv4 address, the /64 network of an IPv6 address (one household), or `unknown`. */
    addressOf(request: IncomingMessage): string {
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
      return memoizedSubnetOf(claimed) || memoizedSubnetOf(own) || 'unknown';
    },
  };
}

/** The setting TRUSTED_PROXIES of every process that counts requests by address. */
export const trustedProxiesSetting = textFor(createClientAddresses)({
  default: '',
  desc: 'The proxies whose X-Forwarded-For header is trusted: addresses, ranges (10.0.0.0/8), loopback, linklocal or uniquelocal, separated by commas. If empty, the header is ignored.',
});

function compileProxies(list: string[]): (address: string, hop: number) => boolean {
  try {
    return proxyAddr.compile(list);
  } catch (error) {
    throw new Error(`TRUSTED_PROXIES names something that is not an address or range: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}

/** Returns the IPv4 address (also IPv4-mapped), the /64 network of an IPv6 address, or an empty text. */
export function subnetOf(text: string): string {
  // Removes the port that some proxies append, and the brackets of an IPv6 address.
  const address = text.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.split('%', 1)[0] ?? ''}/${subnetBits}`).toString()}/${subnetBits}`;
}

const maxCountedAddresses = 100_000;

/** Limits each address in the memory of this process, from its first request in a minute. With 0, there is no limit. */
export function createAddressLimit(
  maxPerMinute: number,
  addressOf: (request: IncomingMessage) => string,
): ConsumeRateLimit {
  const counts = new LRUCache<string, number>({ max: maxCountedAddresses, ttl: 60_000, noUpdateTTL: true });
  return async (request) => {
    const address = addressOf(request);
    const count = (counts.get(address) ?? 0) + 1;
    counts.set(address, count);
    const retryAfterSeconds = Math.max(1, Math.ceil(counts.getRemainingTTL(address) / 1_000));
    return { allowed: maxPerMinute === 0 || count <= maxPerMinute, retryAfterSeconds };
  };
}
