import { DeadlineError } from './errors.js';

/** The time that one call may take. */
export interface Deadline {
  /**
   * Aborts when the time has passed, or when the caller's signal aborts, with the caller's reason.
   */
  readonly signal: AbortSignal;
  /** Returns the milliseconds until the deadline. */
  remainingMs(): number;
  /** Resolves after `ms` milliseconds. Rejects with the reason of `signal` if `signal` aborts. */
  sleep(ms: number): Promise<void>;
  end(): void;
}

/** The longest time that `setTimeout` accepts, in milliseconds: 24 days. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Starts the deadline of one call. One controller aborts for both reasons, because
 * `AbortSignal.any` is missing in Node.js 18.0 and in browsers before 2024.
 */
export function startDeadline(deadlineMs: number, callerSignal: AbortSignal | undefined): Deadline {
  const ms = Math.min(deadlineMs, maxTimerMs);
  const controller = new AbortController();
  const { signal } = controller;
  const abort = () => controller.abort(callerSignal?.reason);
  if (callerSignal?.aborted) abort();
  callerSignal?.addEventListener('abort', abort);
  const endsAt = performance.now() + ms;
  const timer = setTimeout(
    () =>
      controller.abort(
        new DeadlineError(`No response arrived within ${ms} ms. Raise \`deadlineMs\` or ask for less.`, {
          code: 'DEADLINE_EXCEEDED',
        }),
      ),
    ms,
  );
  return {
    signal,
    remainingMs: () => endsAt - performance.now(),
    sleep: (pause) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const stop = () => {
          clearTimeout(waiting);
          reject(signal.reason);
        };
        const waiting = setTimeout(() => {
          signal.removeEventListener('abort', stop);
          resolve();
        }, pause);
        signal.addEventListener('abort', stop, { once: true });
      }),
    end() {
      clearTimeout(timer);
      callerSignal?.removeEventListener('abort', abort);
    },
  };
}
