/**
 * Creates a function whose callers continue in the order of their calls, at most one per `intervalMs`
 * milliseconds. Work in many small parts, such as downloads, waits for this function before each part
 * and so leaves time for other requests.
 */
export function createPacer(intervalMs: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let isPaused = false;

  const runNext = (): void => {
    const next = waiting.shift();
    isPaused = next !== undefined;
    if (!next) return;
    setTimeout(runNext, intervalMs);
    next();
  };

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (!isPaused) runNext();
    });
}
