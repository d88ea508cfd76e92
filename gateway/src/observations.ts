import type { Metrics } from '@lectern/telemetry';

export interface ObservedRequest {
  /** As the client calls it; null for none. */
  operationName: string | null;
  /** ok: data alone; partial: data and errors; refused: nothing was run; failed: a fault of ours. */
  outcome: 'ok' | 'partial' | 'refused' | 'failed';
  seconds: number;
}

/** Clients name their operations as they like: these many names are told apart, and those that come later are one. */
const mostOperationNames = 100;

/** What the gateway counts. The names are part of the interface of its operators: docs/operating.md lists them. */
export function createObservations(metrics: Metrics) {
  const names = new Set<string>();
  const nameOf = (name: string | null): string => {
    if (name === null) return '';
    if (!names.has(name) && names.size >= mostOperationNames) return 'other';
    names.add(name);
    return name;
  };
  const requests = metrics.counter({ name: 'lectern_requests_total', help: 'Requests to /graphql that had a good key, by operation name and outcome.', labels: ['operation', 'outcome'] });
  const seconds = metrics.histogram({ name: 'lectern_request_seconds', help: 'From the headers of a request to the end of its answer, in seconds.', labels: ['outcome'] });
  const refusals = metrics.counter({ name: 'lectern_refusals_total', help: 'Errors at the door, by their code: what docs/errors.md lists.', labels: ['code'] });
  const subgraphSeconds = metrics.histogram({ name: 'lectern_subgraph_seconds', help: 'Calls of subgraphs by outcome (answered, failed), in seconds.', labels: ['subgraph', 'outcome'] });
  const swaps = metrics.counter({ name: 'lectern_supergraph_swaps_total', help: 'New supergraphs, taken and refused.', labels: ['outcome'] });
  const routes = metrics.counter({ name: 'lectern_routes_total', help: 'Operations by way: direct to one subgraph, planned over several, or from the answers that are kept.', labels: ['way'] });
  const documents = metrics.counter({ name: 'lectern_documents_total', help: 'Documents by whether they were judged before (hit) or had to be parsed (miss).', labels: ['result'] });

  return {
    request({ operationName, outcome, seconds: took }: ObservedRequest): void {
      requests({ operation: nameOf(operationName), outcome });
      seconds({ outcome }, took);
    },
    refusal: (code: string): void => refusals({ code }),
    subgraphCall: (subgraph: string, outcome: 'answered' | 'failed', took: number): void => subgraphSeconds({ subgraph, outcome }, took),
    swap: (outcome: 'taken' | 'refused'): void => swaps({ outcome }),
    route: (way: 'direct' | 'planned' | 'kept'): void => routes({ way }),
    document: (result: 'hit' | 'miss'): void => documents({ result }),
  };
}

export type Observations = ReturnType<typeof createObservations>;
