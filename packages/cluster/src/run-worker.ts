import type { Logger } from '@lectern/serving';
import { exitOnUncaughtError } from '@lectern/serving';
import type { IpcChannel } from './ipc-channel';
import type { Address, StopMessage } from './start-workers';

export interface WorkerParts {
  channel: IpcChannel;
  address: Address;
  /**
   * Closes the worker's server. `isReplaced` is true if another worker has replaced this worker.
   */
  close: (isReplaced: boolean) => Promise<void>;
  log: Logger;
}

/**
 * Runs a worker that serves requests. Reports to the primary that the worker is ready, and closes
 * when the primary sends `stop` or the process receives SIGTERM. node:cluster ends the worker if
 * the primary is gone.
 */
export function runWorker({ channel, address, close, log }: WorkerParts): void {
  let stopping = false;
  const stop = (isReplaced: boolean) => {
    // Two messages may stop the worker: one of the primary, and a signal of a supervisor to the
    // whole process group.
    if (stopping) return;
    stopping = true;
    close(isReplaced).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'a worker could not stop cleanly');
        process.exit(1);
      },
    );
  };
  channel.on('stop', (message) => stop((message as StopMessage).isReplaced));
  process.on('SIGTERM', () => stop(false));
  // A terminal sends these signals to every process of its group. The primary decides what workers
  // do.
  process.on('SIGINT', () => undefined);
  process.on('SIGHUP', () => undefined);
  exitOnUncaughtError(log);
  void channel.send('ready', { host: address.host, port: address.port });
}
