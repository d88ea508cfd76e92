import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** V8's heap for new objects, in MB. The threads keep their data outside. The default reserves 40 MB more. */
const maxYoungGenerationSizeMb = 2;

/** The thread of a file in `workers/` starts on demand. If it ends or cannot start, pending requests reject. */
export function createRespawningThread<Request extends object, Response extends object>(
  file: string,
  workerData: unknown,
) {
  type Thread = ReturnType<typeof startThread<Request, Response>>;
  let thread: Thread | null = null;
  let closed = false;
  const running = (): Thread => {
    if (closed) throw new Error('closed');
    const current = thread ?? startThread<Request, Response>(file, workerData, () => (thread = null));
    thread = current;
    return current;
  };
  return {
    /** Resolves with the first message of the thread. Rejects if the thread cannot start. */
    ready: async () => running().ready,
    send: async (request: Request) => running().send(request),
    async close(): Promise<void> {
      closed = true;
      await thread?.close();
    },
  };
}

/** The job number in the first message of a thread, which says that the thread is ready. */
const readyJob = 0;

type Message = { job?: number; failed?: string } & Record<string, unknown>;

/** Starts a thread. If it ends or cannot start, rejects its pending requests, and then calls `onEnd`. */
function startThread<Request extends object, Response extends object>(
  file: string,
  workerData: unknown,
  onEnd: () => void,
) {
  // onnxruntime reads this variable when it is loaded. Without it, onnxruntime sends telemetry to its vendor.
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
  const worker = new Worker(join(__dirname, '..', 'workers', file), {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb },
  });
  const pending = new Map<number, { resolve(response: never): void; reject(error: Error): void }>();
  let jobs = readyJob;
  let endError: Error | null = null;
  let closing = false;
  const responseTo = <Expected>(job: number): Promise<Expected> =>
    new Promise((resolve, reject) => pending.set(job, { resolve, reject }));
  const ready = responseTo<Readonly<Record<string, unknown>>>(readyJob);
  // Without this handler, a rejection would end the process if no caller awaits `ready`.
  ready.catch(() => {});

  /** Keeps the process running while the thread starts, works or closes, but not while it is idle. */
  const updateRef = (): void => (pending.size > 0 || closing ? worker.ref() : worker.unref());
  const end = (error: Error): void => {
    if (endError) return;
    endError = error;
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
    onEnd();
  };
  worker.on('message', ({ job = readyJob, failed, ...response }: Message) => {
    const waiting = pending.get(job);
    pending.delete(job);
    if (failed === undefined) waiting?.resolve(response as never);
    else waiting?.reject(new Error(failed));
    updateRef();
  });
  worker.on('error', end);
  worker.on('exit', () => end(new Error('the thread ended')));

  return {
    ready,
    send(request: Request): Promise<Response> {
      if (endError) return Promise.reject(endError);
      jobs += 1;
      const response = responseTo<Response>(jobs);
      updateRef();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- windows have origins, threads have none
      worker.postMessage({ ...request, job: jobs });
      return response;
    },
    async close(): Promise<void> {
      end(new Error('closed'));
      const hasExited = worker.threadId === -1;
      if (hasExited) return;
      closing = true;
      updateRef();
      const exit = new Promise((resolve) => worker.once('exit', resolve));
      // This message makes the thread exit after its current job. `worker.terminate()` during a job
      // would make onnxruntime abort the whole process.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- windows have origins, threads have none
      worker.postMessage({ close: true });
      await exit;
    },
  };
}
