import type { Logger } from '@lectern/serving';
import { exitOnUncaughtError } from '@lectern/serving';
import type { IpcChannel } from './ipc';
import type { ReadyMessage, StopMessage } from './worker';

export interface WorkerParts {
  channel: IpcChannel;
  /**
   * Closes the worker's server. `isReplaced` is true if another worker has replaced this worker.
   */
  close: (isReplaced: boolean) => Promise<void>;
  /** Returns why this worker cannot serve requests yet. Null, the default, if it can. */
  problem?: () => string | null;
  log: Logger;
}

/**
 * Runs a worker that serves requests. Reports to the primary that the worker is ready, and closes
 * when the primary sends `stop`. node:cluster ends the worker if the primary is gone.
 */
export function runWorker({ channel, close, problem = () => null, log }: WorkerParts): void {
  const stop = (isReplaced: boolean) =>
    close(isReplaced).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'a worker could not stop cleanly');
        process.exit(1);
      },
    );
  channel.on('stop', (message) => void stop((message as StopMessage).isReplaced));
  // A terminal or a supervisor sends these signals to every process of its group. The primary
  // decides what workers do: a worker that stopped by itself would miss its last connections.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
  exitOnUncaughtError(log);
  const message: ReadyMessage = { problem: problem() };
  void channel.send('ready', message);
}
