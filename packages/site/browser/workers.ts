/** Monaco looks at this global name for the scripts that check and complete what is typed; they are files of our own, never blobs. */
export function provideWorkers(): void {
  Object.assign(globalThis, {
    MonacoEnvironment: {
      getWorker: (_: string, label: string) =>
        new Worker(label in WORKERS ? WORKERS[label as keyof typeof WORKERS] : WORKERS.editor),
    },
  });
}
