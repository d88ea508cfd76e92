import type { KeyRecord } from '@lectern/keys';
import type { Html } from '../html';

/** The usage of a key in the current UTC day. */
export interface KeyUsage {
  /**
   * The requests that count against the quota. Null if the key has no quota, because they are not
   * counted then.
   */
  readonly requests: { readonly count: number; readonly max: number } | null;
  /** The semantic searches, also of translations without embeddings. */
  readonly embeddingCalls: number;
  /**
   * Whether the counts are those of one gateway, because the counts of all gateways cannot be read.
   */
  readonly isOfOneGateway: boolean;
}

/**
 * Resolves with null for a key of the other environment, whose usage this deployment does not know.
 */
export type ReadKeyUsage = (key: KeyRecord) => Promise<KeyUsage | null>;

/** The rows of a key's page that show its usage. */
export function usageDetails(usage: KeyUsage | null, { environment }: KeyRecord): (readonly [string, Html | string])[] {
  if (!usage)
    return [['Today (UTC)', `not known here: see the page of the key on a gateway of the ${environment} environment`]];
  const { requests, embeddingCalls, isOfOneGateway } = usage;
  return [
    [
      'Requests today (UTC)',
      requests ? `${requests.count} of ${requests.max}` : 'not counted, because the key has no quota',
    ],
    ['Embedding calls today (UTC)', String(embeddingCalls)],
    ...(isOfOneGateway ? [['Note', 'Redis is unavailable: these are the counts of one gateway.'] as const] : []),
  ];
}
