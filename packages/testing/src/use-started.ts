/**
 * Starts a service before the tests of the file or describe block, and stops it after them.
 * Returns an object that has the members of the service while the tests run.
 */
export function useStarted<T extends { close(): unknown } | { stop(): unknown }>(start: () => Promise<T> | T): T {
  const started = {} as T;
  beforeAll(async () => void Object.assign(started, await start()));
  afterAll(() => ('close' in started ? started.close() : started.stop()));
  return started;
}
