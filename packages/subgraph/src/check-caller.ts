import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import {
  createGatewayTokenCheck,
  createHeaderSecretCheck,
  headerName as headerNamePattern,
  parseSecrets,
} from '@lectern/serving';

export interface CallerSecrets {
  secrets: string;
  headerName?: string;
  headerSecrets?: string;
}

export const defaultHeaderName = 'x-subgraph-secret';

const headerValuePattern = /^[\x21-\x7e]+$/;

/**
 * `reason` is null, or why the caller is rejected, for the log. Only a gateway token names rights: the restricted
 * translations that its caller may read, separated by blanks. Throws if other machines could call without a secret.
 */
export function createCheckCaller(
  { secrets: setting, headerName = defaultHeaderName, headerSecrets: headerSetting = '' }: CallerSecrets,
  { subgraph, host, now }: { subgraph: string; host: string; now: () => number },
): (request: IncomingMessage) => { readonly reason: string | null; readonly rights: string } {
  const secrets = parseSecrets('SUBGRAPH_SECRET', setting);
  const headerSecrets = parseSecrets('SUBGRAPH_HEADER_SECRET', headerSetting);
  if (!headerNamePattern.test(headerName))
    throw new Error(
      `SUBGRAPH_HEADER_NAME: "${headerName}" is not the name of an HTTP header, such as ${defaultHeaderName}.`,
    );
  if (headerSecrets.some((secret) => !headerValuePattern.test(secret)))
    throw new Error(
      'SUBGRAPH_HEADER_SECRET may have only visible ASCII characters, because HTTP headers have no others.',
    );
  if (secrets.length + headerSecrets.length === 0) {
    if (isLoopback(host)) return () => ({ reason: null, rights: '' });
    throw new Error(
      `The ${subgraph} subgraph would answer anybody who reaches ${host}. Set SUBGRAPH_SECRET, the same here and at the gateway, or SUBGRAPH_HEADER_SECRET for another router, or HOST to 127.0.0.1.`,
    );
  }
  const checkToken = secrets.length > 0 ? createGatewayTokenCheck({ secrets, subgraph, now }) : null;
  const checkHeader =
    headerSecrets.length > 0 ? createHeaderSecretCheck({ name: headerName, secrets: headerSecrets }) : null;
  return (request) => {
    const token = checkToken?.(request);
    if (token?.reason === null) return token;
    const header = checkHeader?.(request);
    if (header === null) return { reason: null, rights: '' };
    return { reason: [token?.reason, header].filter(Boolean).join(', '), rights: '' };
  };
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
