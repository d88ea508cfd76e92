import { useEffect, useState } from 'preact/hooks';

export type Data<Value> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly value: Value }
  | { readonly kind: 'failed'; readonly error: unknown; retry(): void };

/**
 * A hook that loads a value when the screen opens, and again when one of `inputs` changes or
 * `retry` is called. The earlier request is cancelled if an input changes or the user leaves the
 * screen.
 */
export function useData<Value>(load: (signal: AbortSignal) => Promise<Value>, inputs: readonly unknown[]): Data<Value> {
  const [data, setData] = useState<Data<Value>>({ kind: 'loading' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setData({ kind: 'loading' });
    load(controller.signal).then(
      (value) => !controller.signal.aborted && setData({ kind: 'loaded', value }),
      (error: unknown) =>
        !controller.signal.aborted && setData({ kind: 'failed', error, retry: () => setAttempt((count) => count + 1) }),
    );
    return () => controller.abort();
  }, [...inputs, attempt]);
  return data;
}
