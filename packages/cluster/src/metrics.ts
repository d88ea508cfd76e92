import { endedProcessMetrics, type MetricValues } from '@lectern/telemetry';
import type { IpcChannel } from './ipc';

const topic = 'metrics';
const responseWithinMs = 2_000;

/**
 * Returns the function with which a worker shares the metrics that `read` returns, whenever the
 * primary requests them. That function returns another, which sends them once more at the end.
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
  waiting: (() => void)[];
}

/** Collects the metrics of all workers. The counters of ended workers stay, so that no sum falls. */
export function createWorkerMetrics() {
  const workers = new Map<IpcChannel, WorkerState>();
  let ended: Promise<MetricValues> = Promise.resolve([]);

  const resolveRequests = ({ waiting }: WorkerState): void => {
    for (const resolve of waiting.splice(0)) resolve();
  };

  const requestMetrics = (channel: IpcChannel, { waiting }: WorkerState): Promise<void> =>
    new Promise((resolve) => {
      // After the deadline, the metrics that the worker sent last are used.
      const timeout = setTimeout(resolve, responseWithinMs);
      waiting.push(() => {
        clearTimeout(timeout);
        resolve();
      });
      void channel.send(topic);
    });

  return {
    /** Listens to a new worker. Returns a function to call when the worker has ended. */
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
    /** Requests the metrics of every worker and returns them. */
    async read(): Promise<MetricValues[]> {
      await Promise.all([...workers].map(([channel, state]) => requestMetrics(channel, state)));
      return [await ended, ...[...workers.values()].map(({ values }) => values)];
    },
  };
}
