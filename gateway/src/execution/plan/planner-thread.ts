import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { QueryPlannerConfig } from '@apollo/query-planner';
import { errors } from '@lectern/errors';
import { type DocumentNode, print } from 'graphql';
import type { QueryPlan } from './fetch';

/** The options of the query planner, used in the main thread and in the planner thread. */
export const plannerConfig = {
  /**
   * Whether planned requests to subgraphs spread the fragments of the client's document. With true,
   * the planner expands each fragment and looks for the fragments in each selection set: planning a
   * verse in a chain of 590 fragments took 280 ms. With false it takes 4 ms.
   */
  reuseQueryFragments: false,
  debug: {
    /**
     * The maximum number of plans of one operation that the planner compares. Several subgraphs
     * resolve the shareable fields of a verse, so the number of possible plans doubles with each
     * list of verses. Planning an operation with 180 fetches took 130 to 170 ms with a maximum of
     * 100, and takes 35 to 55 ms with 4. Both plans had the same number of fetches.
     */
    maxEvaluatedPlans: 4,
  },
} satisfies QueryPlannerConfig;

export interface PlannerData {
  readonly supergraphSdl: string;
  readonly plannerConfig: typeof plannerConfig;
}

export type PlannerResponse = { readonly plan: QueryPlan } | { readonly failed: string };

type PlanningResult =
  | { readonly kind: 'planned'; readonly plan: QueryPlan }
  | { readonly kind: 'too-expensive'; readonly maxMs: number };

export interface PlannerThreadOptions {
  readonly supergraphSdl: string;
  maxPlanningMs?: number;
  /** How long an idle thread is kept, in milliseconds. */
  maxIdleMs?: number;
  maxWaitingPerKey?: number;
}

interface PlanningJob {
  readonly document: DocumentNode;
  readonly resolve: (result: PlanningResult) => void;
  readonly reject: (error: Error) => void;
}

const threadFile = join(__dirname, '..', '..', '..', 'workers', 'planner.mjs');

/**
 * The memory limits of the planner thread, in megabytes. Measured with operations within the default limits: the old
 * generation of the heap takes 40 MB.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 };

/**
 * Plans operations in a worker thread, one at a time. The first operation starts the thread. A
 * thread that takes too long for a plan is ended, and the next operation starts a new one.
 */
export function createPlannerThread({
  supergraphSdl,
  maxPlanningMs = 10_000,
  maxIdleMs = 60_000,
  maxWaitingPerKey = 20,
}: PlannerThreadOptions) {
  /** The jobs that wait for the thread, by API key. The first key of the map is served next. */
  const waiting = new Map<string, PlanningJob[]>();
  /** The operations that are being planned or wait, by the hash of the operation. */
  const planning = new Map<string, Promise<PlanningResult>>();
  let thread: Worker | null = null;
  let running: PlanningJob | null = null;
  let timer: NodeJS.Timeout | undefined;

  const startThread = (): Worker => {
    const workerData: PlannerData = { supergraphSdl, plannerConfig };
    const started = new Worker(threadFile, { workerData, resourceLimits });
    started.on('message', (response: PlannerResponse) => {
      if (thread !== started) return;
      if ('plan' in response) settle(({ resolve }) => resolve({ kind: 'planned', plan: response.plan }));
      else settle(({ reject }) => reject(new Error(response.failed)));
    });
    const end = (error: Error): void => {
      if (thread !== started) return;
      thread = null;
      settle(({ reject }) => reject(error));
    };
    started.on('error', end);
    started.on('exit', () => end(new Error('the thread of the planner ended')));
    return started;
  };

  const stopThread = async (): Promise<void> => {
    const stopped = thread;
    thread = null;
    await stopped?.terminate();
  };

  const endLatePlan = (): void => {
    void stopThread();
    settle(({ resolve }) => resolve({ kind: 'too-expensive', maxMs: maxPlanningMs }));
  };

  const settle = (settleJob: (job: PlanningJob) => void): void => {
    if (running) settleJob(running);
    running = null;
    startNext();
  };

  const takeWaiting = (): PlanningJob | null => {
    const [first] = waiting;
    if (!first) return null;
    const [key, [job = null, ...others]] = first;
    waiting.delete(key);
    if (others.length > 0) waiting.set(key, others);
    return job;
  };

  /** Starts the next job. An idle thread does not keep the process alive, and is stopped after `maxIdleMs`. */
  const startNext = (): void => {
    if (running) return;
    clearTimeout(timer);
    running = takeWaiting();
    if (!running) {
      thread?.unref();
      timer = setTimeout(() => void stopThread(), maxIdleMs).unref();
      return;
    }
    thread ??= startThread();
    thread.ref();
    timer = setTimeout(endLatePlan, maxPlanningMs);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- windows have origins, threads have none
    thread.postMessage(print(running.document));
  };

  const enqueue = (keyId: string, document: DocumentNode): Promise<PlanningResult> =>
    new Promise((resolve, reject) => {
      const jobs = waiting.get(keyId) ?? [];
      if (jobs.length >= maxWaitingPerKey) return reject(errors.tooManyInFlight());
      waiting.set(keyId, [...jobs, { document, resolve, reject }]);
      startNext();
    });

  return {
    /**
     * Plans the only operation of a document. API keys take turns, so the next operation of a key
     * waits for at most one operation of each other key. Rejects with `tooManyInFlight` if too many
     * operations of the key wait.
     * @param hash identifies the operation. Requests for the same plan at the same time share the
     * result
     */
    plan(keyId: string, hash: string, document: DocumentNode): Promise<PlanningResult> {
      const known = planning.get(hash);
      if (known) return known;
      const result = enqueue(keyId, document).finally(() => planning.delete(hash));
      planning.set(hash, result);
      return result;
    },
    /** Stops the thread. The caller makes sure that no operation is in flight. */
    async close(): Promise<void> {
      clearTimeout(timer);
      await stopThread();
    },
  };
}
export type PlannerThread = ReturnType<typeof createPlannerThread>;
