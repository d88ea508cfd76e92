import { endedProcessMetrics, type MetricValues } from '@lectern/telemetry';
import type { IpcChannel } from './ipc';

const topic = 'metrics';
const responseWithinMs = 2_000;

/**
 * Lets a worker share the metrics that `read` returns. The worker sends them whenever the primary process requests
 * them. The worker calls the returned function when it ends, to send them once more.
 */
export const shareMetrics =
  (channel: IpcChannel) =>
  (read: () => Promise<MetricValues>): (() => Promise<void>) => {
    const sendMetrics = async () => channel.send(topic, await read());
    channel.on(topic, () => void sendMetrics());
    return sendMetrics;
  };

interface WorkerState {
  /** The metrics that the worker has sent last. */
  values: MetricValues;
  /** Called when the worker has responded or ended. */
  waiting: (() => void)[];
}

/** Creates the collector of the workers' metrics. The counters of ended workers are kept, so that no sum decreases. */
export function createWorkerMetrics() {
  const workers = new Map<IpcChannel, WorkerState>();
  let ended: Promise<MetricValues> = Promise.resolve([]);

  const resolveRequests = ({ waiting }: WorkerState): void => {
    for (const resolve of waiting.splice(0)) resolve();
  };

  const requestMetrics = (channel: IpcChannel, { waiting }: WorkerState): Promise<void> =>
    new Promise((resolve) => {
      // After the deadline, the last known metrics of the worker are used.
      const timeout = setTimeout(resolve, responseWithinMs);
      waiting.push(() => {
        clearTimeout(timeout);
        resolve();
      });
      void channel.send(topic);
    });

  return {
    /** Begins to collect the metrics of a new worker. Returns the function to call when the worker has ended. */
    onConnect(channel: IpcChannel): () => void {
      const state: WorkerState = { values: [], waiting: [] };
      workers.set(channel, state);
      channel.on(topic, (values) => {
        state.values = values as MetricValues;
        resolveRequests(state);
      });
      return () => {
        workers.delete(channel);
        resolveRequests(state);
        ended = ended.then((before) => endedProcessMetrics([before, state.values]));
      };
    },
    /** Requests the metrics of every worker and resolves with them. */
    async read(): Promise<MetricValues[]> {
      await Promise.all([...workers].map(([channel, state]) => requestMetrics(channel, state)));
      return [await ended, ...[...workers.values()].map(({ values }) => values)];
    },
  };
}
