import type { Logger } from '@lectern/serving';
import { exitOnUncaughtError } from '@lectern/serving';
import type { IpcChannel } from './ipc-channel';
import type { Address, Stop } from './start-workers';

export interface WorkerParts {
  channel: IpcChannel;
  address: Address;
  close: (isReplaced: boolean) => Promise<void>;
  log: Logger;
}

/**
 * For the main of a worker, once it takes requests: says so to the primary, and closes cleanly when the primary says so or on a SIGTERM of its own.
 * It ends by itself when the primary is gone.
 */
export function runWorker({ channel, address, close, log }: WorkerParts): void {
  let stopping = false;
  const stop = (isReplaced: boolean) => {
    // A supervisor that stops the whole group tells us too, and the primary tells us again.
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
  channel.on('stop', (told) => stop((told as Stop).isReplaced));
  process.on('SIGTERM', () => stop(false));
  // A terminal sends these to every process of its group. What follows from them is the primary's to say.
  process.on('SIGINT', () => undefined);
  process.on('SIGHUP', () => undefined);
  exitOnUncaughtError(log);
  void channel.send('ready', { host: address.host, port: address.port });
}
