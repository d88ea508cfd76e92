import { setTimeout as pause } from 'node:timers/promises';

/**
 * Sends each of these requests again and again, with a pause of `pauseMs` milliseconds after each response. Returns a
 * function that stops the requests, and resolves when the requests in flight have ended.
 */
export function repeatRequests(requests: readonly (() => Promise<unknown>)[], pauseMs = 0): () => Promise<void> {
  const state = { isStopped: false };
  const running = Promise.all(
    requests.map(async (send) => {
      while (!state.isStopped) {
        await send();
        await pause(pauseMs);
      }
    }),
  );
  // If a request fails, only the function below rejects. A test that has failed before may never call it.
  running.catch(() => undefined);
  return async () => {
    state.isStopped = true;
    await running;
  };
}
