import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors } from '@lectern/errors';
import type { HeaderList } from '@lectern/serving';
import type { LimitState } from '../admission/rate-limiter';
import type { GraphResponse } from './stages';

/**
 * One request to /graphql with its response, and the facts about both that the gateway knows so
 * far.
 */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** The start of the request, in milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** The headers that are sent with any response, successful or not. */
  headers: HeaderList;
  /** The id of the API key. Undefined before admission. */
  keyId: string | undefined;
  /** Whether the key may send trusted documents only. False before admission. */
  trustedDocumentsOnly: boolean;
  /** The state of the address's limit. Null until admission has returned the state. */
  address: LimitState | null;
  /** The state of the key's limit of a minute. Null before admission. */
  keyRate: LimitState | null;
  /**
   * The state of the key's quota of a day. Null before admission, and if `keyRate` is exhausted.
   */
  quota: LimitState | null;
}

/** Refunds the request to the key's quota. A second call does nothing. */
export function refundQuota(exchange: Exchange): void {
  exchange.quota = exchange.quota?.refund() ?? null;
}

/**
 * The codes with which a rejected operation does not count against the quota. So clients can find
 * out the limits of depth, cost and tokens without using up their quota.
 */
const refundedCodes: ReadonlySet<string> = new Set([
  errors.tooDeep.code,
  errors.tooComplex.code,
  errors.tooManyTokens.code,
]);

export const isRefunded = ({ isRejected, codes }: GraphResponse): boolean =>
  isRejected && codes.some((code) => refundedCodes.has(code));
