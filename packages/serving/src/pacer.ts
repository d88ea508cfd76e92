/**
 * Creates a function that lets its callers continue one after the other, at most one in `intervalMs`. Large work in small
 * parts, such as downloads, so leaves the event loop to other requests. Callers continue in the order of their calls.
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
