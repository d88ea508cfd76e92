import type { Logger } from '@lectern/serving';
import { endOnFault } from '@lectern/serving';
import type { Line } from './ipc-channel';
import type { Address, Stop } from './start-workers';

export interface WorkerParts {
  line: Line;
  address: Address;
  close: (isReplaced: boolean) => Promise<void>;
  log: Logger;
}

/**
 * For the main of a worker, once it takes requests: says so to the primary, and closes cleanly when the primary says so or on a SIGTERM of its own.
 * It ends by itself when the primary is gone.
 */
export function runWorker({ line, address, close, log }: WorkerParts): void {
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
  line.hear('stop', (told) => stop((told as Stop).isReplaced));
  process.on('SIGTERM', () => stop(false));
  // A terminal sends these to every process of its group. What follows from them is the primary's to say.
  process.on('SIGINT', () => undefined);
  process.on('SIGHUP', () => undefined);
  endOnFault(log);
  void line.say('ready', { host: address.host, port: address.port });
}
