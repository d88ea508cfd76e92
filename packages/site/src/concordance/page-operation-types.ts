import type { IncomingMessage } from 'node:http';
import type { KeyRecord } from '@lectern/keys';

/** The signed-in reader of a page. */
export type PageReader = { readonly kind: 'key'; readonly key: KeyRecord } | { readonly kind: 'operator' };

export type PageResult =
  | {
      readonly kind: 'executed';
      /** Null if the operation was rejected. */
      readonly data: unknown;
      readonly errors: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
    }
  /** The reader's key or address has no requests left. */
  | { readonly kind: 'rate-limited'; readonly retryAfterSeconds: number };

/** Executes an operation for a page, and counts it against the limits of the reader. */
export type ExecuteForPage = (
  request: IncomingMessage,
  reader: PageReader,
  operation: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> },
) => Promise<PageResult>;
