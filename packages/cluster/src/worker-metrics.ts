import type { MetricValues } from '@lectern/telemetry';
import { endedProcessMetrics } from '@lectern/telemetry';
import type { IpcChannel } from './ipc-channel';

const topic = 'metrics';
const answerWithinMs = 2_000;

/** A worker's end: tells its metrics whenever the primary asks. Returns what tells them a last time. */
export const shareMetrics =
  (channel: IpcChannel) =>
  (read: () => Promise<MetricValues>): (() => Promise<void>) => {
    const tell = async () => channel.send(topic, await read());
    channel.on(topic, () => void tell());
    return tell;
  };

interface Known {
  /** What it said last: it may die without a word. */
  values: MetricValues;
  /** Tells all who have asked. */
  answered: () => void;
}

const nobody = (): void => undefined;

/** The primary's end: what all workers have counted, those that are gone among them, so that no count ever falls. */
export function createWorkerMetrics() {
  const known = new Map<IpcChannel, Known>();
  let departed: Promise<MetricValues> = Promise.resolve([]);

  const ask = (channel: IpcChannel, one: Known): Promise<void> =>
    new Promise((resolve) => {
      // One that is busy or gone is shown as it was.
      const late = setTimeout(resolve, answerWithinMs);
      const others = one.answered;
      one.answered = () => {
        clearTimeout(late);
        resolve();
        others();
      };
      void channel.send(topic);
    });

  return {
    onConnect(channel: IpcChannel): () => void {
      const one: Known = { values: [], answered: nobody };
      known.set(channel, one);
      const answer = () => {
        const { answered } = one;
        one.answered = nobody;
        answered();
      };
      channel.on(topic, (values) => {
        one.values = values as MetricValues;
        answer();
      });
      return () => {
        known.delete(channel);
        answer();
        departed = departed.then((before) => endedProcessMetrics([before, one.values]));
      };
    },
    async read(): Promise<MetricValues[]> {
      await Promise.all([...known].map(([channel, one]) => ask(channel, one)));
      return [await departed, ...[...known.values()].map(({ values }) => values)];
    },
  };
}
