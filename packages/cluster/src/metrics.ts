import { endedProcessMetrics, type MetricValues } from '@lectern/telemetry';
import type { IpcChannel } from './ipc';

const topic = 'metrics';
const responseWithinMs = 2_000;

/**
 * Creates the function with which a worker shares the metrics that `read` returns: they are sent
 * whenever the primary requests them. It returns another function, with which the worker sends them
 * once more when it ends.
 */
export const shareMetrics =
  (channel: IpcChannel) =>
  (read: () => Promise<MetricValues>): (() => Promise<void>) => {
    const sendMetrics = async () => channel.send(topic, await read());
    channel.on(topic, () => void sendMetrics());
    return sendMetrics;
  };

interface WorkerState {
  /** The metrics that the worker sent last. */
  values: MetricValues;
  /** Called when the worker has responded or ended. */
  onResponse: () => void;
}

const nothing = (): void => undefined;

/**
 * Collects the metrics of all workers, with the counters of ended workers, so that no sum of a
 * counter falls.
 */
export function createWorkerMetrics() {
  const workers = new Map<IpcChannel, WorkerState>();
  let ended: Promise<MetricValues> = Promise.resolve([]);

  const requestMetrics = (channel: IpcChannel, state: WorkerState): Promise<void> =>
    new Promise((resolve) => {
      // After the deadline, the metrics that the worker sent last are used.
      const timeout = setTimeout(resolve, responseWithinMs);
      const previous = state.onResponse;
      state.onResponse = () => {
        clearTimeout(timeout);
        resolve();
        previous();
      };
      void channel.send(topic);
    });

  return {
    /** Listens to a new worker. Returns a function to call when the worker has ended. */
    onConnect(channel: IpcChannel): () => void {
      const state: WorkerState = { values: [], onResponse: nothing };
      workers.set(channel, state);
      const resolveRequests = () => {
        const { onResponse } = state;
        state.onResponse = nothing;
        onResponse();
      };
      channel.on(topic, (values) => {
        state.values = values as MetricValues;
        resolveRequests();
      });
      return () => {
        workers.delete(channel);
        resolveRequests();
        ended = ended.then((before) => endedProcessMetrics([before, state.values]));
      };
    },
    /** Requests the metrics of every worker and returns them. */
    async read(): Promise<MetricValues[]> {
      await Promise.all([...workers].map(([channel, state]) => requestMetrics(channel, state)));
      return [await ended, ...[...workers.values()].map(({ values }) => values)];
    },
  };
}
