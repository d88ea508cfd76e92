import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import { createGatewayTokenCheck, createHeaderSecretCheck, parseSecrets } from '@lectern/serving';

export interface CallerSecrets {
  secrets: string;
  headerName?: string;
  headerSecrets?: string;
}

export const defaultHeaderName = 'x-subgraph-secret';

const headerNamePattern = /^[\w!#$%&'*+.^`|~-]+$/;
const headerValuePattern = /^[\x21-\x7e]+$/;

/**
 * Whether a caller is served, with its rights: the restricted translations that it may read, separated by blanks. Only
 * a gateway token names rights. A rejection has a reason for the log.
 */
export type CallerCheck =
  | { readonly kind: 'accepted'; readonly rights: string }
  | { readonly kind: 'rejected'; readonly reason: string };

const withoutRights: CallerCheck = { kind: 'accepted', rights: '' };

/** Creates the check of callers. Throws if other machines could call without a secret. */
export function createCheckCaller(
  { secrets: setting, headerName = defaultHeaderName, headerSecrets: headerSetting = '' }: CallerSecrets,
  { subgraph, host, now }: { subgraph: string; host: string; now: () => number },
): (request: IncomingMessage) => CallerCheck {
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
    if (isLoopback(host)) return () => withoutRights;
    throw new Error(
      `The ${subgraph} subgraph would answer anybody who reaches ${host}. Set SUBGRAPH_SECRET, the same here and at the gateway, or SUBGRAPH_HEADER_SECRET for another router, or HOST to 127.0.0.1.`,
    );
  }
  const checkToken = secrets.length > 0 ? createGatewayTokenCheck({ secrets, subgraph, now }) : null;
  const checkHeader =
    headerSecrets.length > 0 ? createHeaderSecretCheck({ name: headerName, secrets: headerSecrets }) : null;
  return (request) => {
    const token = checkToken?.(request);
    if (token?.kind === 'accepted') return token;
    const header = checkHeader?.(request);
    if (header === null) return withoutRights;
    return { kind: 'rejected', reason: [token?.reason, header].filter(Boolean).join(', ') };
  };
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
