import type { Logger } from './logger';

/** Closes cleanly on SIGTERM and SIGINT (Ctrl-C) and ends the process with 0; a second signal ends it at once. */
export function runUntilStopped(close: () => Promise<void>, log: Logger): void {
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) process.exit(130);
    stopping = true;
    log.info({ signal }, 'stopping: finishing the requests under way');
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'could not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  exitOnUncaughtError(log);
}

/** A fault that nobody caught is our bug: it is logged and ends the process with 1, so that a supervisor starts a fresh one. */
export function exitOnUncaughtError(log: Logger): void {
  const fail = (error: unknown) => {
    log.fatal({ err: error }, 'a fault that nobody caught');
    process.exit(1);
  };
  process.on('unhandledRejection', fail);
  process.on('uncaughtException', fail);
}

/** For the main of a process: what cannot start says why in one line, without a stack, and exits with 1. */
export function exitWithReason(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
