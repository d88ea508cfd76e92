import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeaderList } from '@lectern/serving';
import type { LimitState } from '../admission/rate-limiter';

/** One request to /graphql with its response, and the facts that the gateway knows so far. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** The start of the request, in milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** The headers that every response has, successful or not. */
  headers: HeaderList;
  /** The id of the API key. Undefined before admission. */
  keyId: string | undefined;
  /**
   * The client's address as the rate limiter counts it: an IPv4 address or an IPv6 /64 network. Empty before
   * admission.
   */
  clientAddress: string;
  /** Whether the key may send trusted documents only. False before admission. */
  trustedDocumentsOnly: boolean;
  /** The state of the address's limit. Null before admission. */
  address: LimitState | null;
  /** The state of the key's limit of requests in a minute. Null before admission. */
  keyRate: LimitState | null;
  /** The state of the key's limit of requests in a day. Null before admission, and if `keyRate` is exhausted. */
  quota: LimitState | null;
}
