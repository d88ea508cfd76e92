import { errors } from '@lectern/errors';
import { type BudgetedRequest, createHintList, type Hint, type WorkBudget } from '@lectern/serving';
import { type CachedBody, type ContentCoding, type ResponseCache, secondsLeft } from '../cache/response-cache';
import type { ExecutableRequest, ExecutionResult, TraceContext } from '../execution/operation';
import { type FormattedResponse, formatRejection } from '../execution/response';
import type { ExecutedOperation } from '../metrics';
import { type Awaitable, thenMaybe } from '../shared/awaitable';
import type { Deprecation } from '../validation/choose-operation';
import type { OperationCost } from '../validation/measure';
import type { Rejection } from '../validation/rejection';
import type { GraphqlParams, PreparedRequest } from '../validation/validator';

interface ClientRequest extends Pick<TraceContext, 'requestId' | 'keyId' | 'span' | 'headers'> {
  readonly rights: string;
  readonly work: WorkBudget;
  /** Whether mutations and subscriptions are rejected. False by default. */
  readonly isQueryOnly?: boolean;
}

export interface GraphStages {
  /** Creates the budget of computing time for one request. The gateway and its subgraphs share the budget. */
  createBudget(request: BudgetedRequest): WorkBudget;
  prepare(params: GraphqlParams, work: WorkBudget): Awaitable<PreparedRequest | Rejection>;
  readonly cache: Pick<ResponseCache, 'keyFor' | 'get' | 'set' | 'setCompressed'>;
  /**
   * Calls `run` when the operation fits beside those that its key has in flight, until `run` has settled. Rejects with
   * `tooManyInFlight` after 5 seconds.
   */
  limitInFlight<Result>(work: WorkBudget, cost: OperationCost, run: () => Awaitable<Result>): Awaitable<Result>;
  execute(request: PreparedRequest, context: TraceContext): Awaitable<ExecutionResult>;
  format(result: ExecutionResult, request: ExecutableRequest, context: TraceContext): Awaitable<FormattedResponse>;
}

/** Holds the graph of the supergraph that is served. A lease keeps the graph open until a request ends. */
export interface LiveGraph {
  acquire(): { readonly graph: GraphStages };
  release(lease: { readonly graph: GraphStages }): void;
}

export interface GraphResponse extends FormattedResponse {
  readonly isRejected: boolean;
  readonly cost: OperationCost | null;
  /** The executed operation. Null if the request was rejected. */
  readonly operation: ExecutedOperation | null;
  readonly deprecations: readonly Deprecation[];
  /** The subgraphs' hints for the developer of the client. Empty for a cached response. */
  readonly hints: readonly Hint[];
  /** For how many seconds the response may be kept from now on. 0 if it has errors or hints, or changes each time. */
  readonly maxAge: number;
  /** The report of the verses whose text the response has. Empty if there are none. */
  readonly verses: string;
  /** Whether the response may have a text that needs a grant. No shared HTTP cache may keep it. */
  readonly isRestricted: boolean;
  /** The compressed forms of the cached response. Null if the response is not cached. */
  readonly compressedForms: CompressedForms | null;
}

export interface CompressedForms {
  get(coding: ContentCoding): Buffer | null;
  set(coding: ContentCoding, compressed: Buffer): void;
}

/**
 * Runs the stages of one request. Returns a promise only if a stage does. An operation is in flight until `respond` has
 * resolved: compressing a large response takes as long as executing it.
 */
export function runGraphStages<Result>(
  stages: GraphStages,
  params: GraphqlParams,
  context: ClientRequest,
  respond: (response: GraphResponse) => Awaitable<Result>,
): Awaitable<Result> {
  return thenMaybe(stages.prepare(params, context.work), (request) =>
    request.kind === 'rejected'
      ? respond({
          ...formatRejection(request.errors),
          isRejected: true,
          cost: request.cost,
          operation: null,
          deprecations: [],
          hints: [],
          maxAge: 0,
          verses: '',
          isRestricted: false,
          compressedForms: null,
        })
      : respondToPrepared(stages, request, context, respond),
  );
}

const usePost = 'only queries can be read with GET. Send its id as "documentId" by POST /graphql.';

function respondToPrepared<Result>(
  { cache, limitInFlight, execute, format }: GraphStages,
  request: PreparedRequest,
  { requestId, keyId, rights, span, headers, work, isQueryOnly = false }: ClientRequest,
  respond: (response: GraphResponse) => Awaitable<Result>,
): Awaitable<Result> {
  const { cost } = request;
  const { name, definition, deprecations } = request.operation;
  const operation = { name, type: definition.operation };
  if (isQueryOnly && operation.type !== 'query')
    throw errors.invalidBody(`The document is a ${operation.type}: ${usePost}`);
  const facts = { isRejected: false, cost, operation, deprecations: deprecations ?? [], isRestricted: rights !== '' };
  const key = cache.keyFor(request, { headers, rights });
  const executeAndFormat = (): Awaitable<GraphResponse> => {
    const hintList = createHintList();
    work.allowCost(cost.complexity);
    let maxAge = Infinity;
    const onMaxAge = (seconds: number) => {
      if (seconds < maxAge) maxAge = seconds;
    };
    const context = { requestId, keyId, rights, span, headers, onHint: hintList.add, onMaxAge, work };
    const executed = execute(request, context);
    let hasData = true;
    const formatted = thenMaybe(executed, (result) => {
      hasData = Boolean(result.rawBody ?? result.data);
      return format(result, request, context);
    });
    return thenMaybe(formatted, ({ body, codes }): GraphResponse => {
      const hints = hintList.all();
      const verses = hasData ? work.verses.report() : '';
      // A response with hints is not cached, because the hints may soon be outdated.
      const isCacheable = codes.length === 0 && hints.length === 0;
      const cached = key !== null && isCacheable ? cache.set(key, body, maxAge, verses) : null;
      const compressedForms = key !== null && cached ? formsOf(cache, key, cached) : null;
      return { body, codes, hints, compressedForms, maxAge: isCacheable ? maxAge : 0, verses, ...facts };
    });
  };
  const cached = key && cache.get(key);
  if (!cached) return limitInFlight(work, cost, () => thenMaybe(executeAndFormat(), respond));
  const compressedForms = formsOf(cache, key, cached);
  const { body, verses } = cached;
  return respond({ body, codes: [], hints: [], compressedForms, maxAge: secondsLeft(cached), verses, ...facts });
}

const formsOf = (cache: GraphStages['cache'], key: string, cached: CachedBody): CompressedForms => ({
  get: (coding) => cached[coding] ?? null,
  set: (coding, compressed) => cache.setCompressed(key, cached, coding, compressed),
});
