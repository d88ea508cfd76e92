/** Starts a service before the tests and stops it after them. The result gets its members. */
export function useStarted<T extends { close(): unknown } | { stop(): unknown }>(start: () => Promise<T> | T): T {
  const started = {} as T;
  beforeAll(async () => void Object.assign(started, await start()));
  afterAll(() => ('close' in started ? started.close() : started.stop()));
  return started;
}
