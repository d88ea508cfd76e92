import { errorMessage, type Logger } from './logger';

interface StopOptions {
  /** How long new connections are accepted after SIGTERM or the end of the parent process, in milliseconds. */
  drainMs?: number;
  /** The time after `drainMs` within which the process exits, in milliseconds. */
  stopWithinMs?: number;
}

/** The default of `stopWithinMs`: enough for 10 seconds of requests in flight, and for closing files. */
const defaultStopWithinMs = 15_000;

/**
 * Runs the process until SIGTERM, SIGINT or the end of a parent with an IPC channel. Then calls `close`, and exits with
 * 0, or with 1 if that fails or takes longer than `drainMs` and `stopWithinMs` together. A second signal exits with
 * 130, an uncaught error with 1. After SIGINT, `close` receives 0, because nobody waits for load balancers after
 * Ctrl-C.
 */
export function runUntilStopped(
  close: (drainMs: number) => Promise<void>,
  log: Logger,
  { drainMs = 0, stopWithinMs = defaultStopWithinMs }: StopOptions = {},
): void {
  let stopping = false;
  const stop = (reason: string) => {
    if (stopping) process.exit(130);
    stopping = true;
    log.info({ reason }, 'stopping: waiting for requests in flight');
    const drainsMs = reason === 'SIGINT' ? 0 : drainMs;
    setTimeout(() => {
      log.error({ seconds: stopWithinMs / 1_000 }, 'could not stop in time: requests in flight are lost');
      process.exit(1);
    }, drainsMs + stopWithinMs).unref();
    exitWhenClosed(close(drainsMs), log, 'could not stop cleanly');
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  onParentEnd(() => {
    if (!stopping) stop('the parent process ended');
  });
  exitOnUncaughtError(log);
}

/** Exits with 0 when the process has closed what it uses. Logs `failure` and exits with 1 if that fails. */
export function exitWhenClosed(closed: Promise<void>, log: Logger, failure: string): void {
  closed.then(
    () => process.exit(0),
    (error: unknown) => {
      log.error({ err: error }, failure);
      process.exit(1);
    },
  );
}

/** Calls `ended` when the IPC channel to the parent process closes, or soon if the channel has already closed. */
function onParentEnd(ended: () => void): void {
  if (process.send === undefined) return;
  if (!process.connected) return void setImmediate(ended);
  process.once('disconnect', ended);
  // Without `unref`, a channel with a listener would keep a process without other work running.
  process.channel?.unref();
}

/** Logs an uncaught error, which is a bug, and exits with status 1. A supervisor restarts the process. */
export function exitOnUncaughtError(log: Logger): void {
  const fail = (error: unknown) => {
    log.fatal({ err: error }, 'uncaught error');
    process.exit(1);
  };
  process.on('unhandledRejection', fail);
  process.on('uncaughtException', fail);
}

/** Ends a process that cannot start: prints the error's message without a stack, exits with 1. */
export function exitWithReason(error: unknown): never {
  process.stderr.write(`${errorMessage(error)}\n`);
  process.exit(1);
}

/**
 * Exits with the status of `run`, or prints why it rejects and exits with 1. A reader that closes the output early, as
 * in `npm run keys -- list | head`, does not stop the work.
 */
export function runCommand(run: () => Promise<number>): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  run().then((status) => {
    process.exitCode = status;
  }, exitWithReason);
}
