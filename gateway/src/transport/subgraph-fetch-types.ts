import type { Hint } from '@lectern/serving';
import type { SubgraphRequest, SubgraphResponse } from '@lectern/subgraph';
import type { Span } from '@lectern/telemetry';
import type { Awaitable } from '../awaitable';

export type { SubgraphRequest, SubgraphResponse };

export interface SubgraphFetchOptions {
  /** The id of the client's request, for logs. */
  readonly requestId: string;
  /** The id of the API key. Undefined if the request needs no key. */
  readonly keyId?: string | undefined;
  /**
   * The span of the client's request. `measuredFetch` replaces it by the span of the request to the
   * subgraph, before the request is sent.
   */
  readonly span?: Span;
  /**
   * Whether the response may have `rawBody` instead of `data`, because the caller does not read its
   * fields.
   */
  readonly acceptsRawBody?: boolean;
  /** Called with each hint of the response: advice for the developer of the client. */
  readonly onHint?: ((hint: Hint) => void) | undefined;
  /** Further headers of a request over HTTP. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a request to one subgraph, in this process or over HTTP. Throws or rejects if there is no
 * response.
 */
export type SubgraphFetch = (request: SubgraphRequest, options: SubgraphFetchOptions) => Awaitable<SubgraphResponse>;
