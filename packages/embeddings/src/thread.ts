import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** A running worker thread. Requests and responses are matched by a job number. */
interface RunningThread<Request extends object, Response extends object> {
  /** Resolves with the thread's ready message. Rejects if the thread cannot start. */
  readonly ready: Promise<Readonly<Record<string, unknown>>>;
  send(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/**
 * The maximum size of the part of V8's heap that a thread uses for new objects. It is small,
 * because the data of the threads is outside of V8's heap. With V8's default, each thread would
 * reserve 40 MB more.
 */
const maxYoungGenerationSizeMb = 2;

interface PendingResponse<Response> {
  resolve(response: Response): void;
  reject(error: Error): void;
}

type ReadyMessage = { ready: true };
type FailedToStartMessage = { failed: string };
type ResponseMessage = { job: number; failed?: string } & Record<string, unknown>;

/**
 * Creates a worker thread that the first call of `ready` or `send` starts. If the thread ends or
 * cannot start, its pending requests reject, and the next call starts a new thread.
 * @param file in the folder `workers/`
 */
export function createRespawningThread<Request extends object, Response extends object>(
  file: string,
  workerData: unknown,
) {
  let thread: RunningThread<Request, Response> | null = null;
  let closed = false;
  const runningThread = (): RunningThread<Request, Response> => {
    if (closed) throw new Error('closed');
    const running: RunningThread<Request, Response> =
      thread ??
      startThread(file, workerData, () => {
        if (thread === running) thread = null;
      });
    thread = running;
    return running;
  };
  return {
    ready: async () => runningThread().ready,
    send: async (request: Request) => runningThread().send(request),
    async close(): Promise<void> {
      closed = true;
      await thread?.close();
    },
  };
}

/**
 * Starts a thread. Calls `onEnd` once when the thread ends or cannot start, after all requests were
 * rejected.
 */
function startThread<Request extends object, Response extends object>(
  file: string,
  workerData: unknown,
  onEnd: () => void,
): RunningThread<Request, Response> {
  // onnxruntime reads this variable when it is loaded. Without it, onnxruntime sends telemetry to
  // its vendor.
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
  const worker = new Worker(join(__dirname, '..', 'workers', file), {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb },
  });
  const pending = new Map<number, PendingResponse<Response>>();
  let jobs = 0;
  let endError: Error | null = null;
  let closing = false;
  let exited = false;
  let pendingReady: PendingResponse<Readonly<Record<string, unknown>>> | null = null;
  const ready = new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
    pendingReady = { resolve, reject };
  });
  // Callers that await `ready` receive the rejection. If no caller awaits `ready`, this handler
  // keeps the unhandled rejection from ending the process.
  ready.catch(() => {});

  /** Keeps the process running while the thread starts, works or closes, and only then. */
  const updateRef = (): void => (pending.size > 0 || pendingReady || closing ? worker.ref() : worker.unref());
  const end = (error: Error): void => {
    if (endError) return;
    endError = error;
    pendingReady?.reject(error);
    pendingReady = null;
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
    onEnd();
  };
  const settleJob = (message: ResponseMessage): void => {
    const waiting = pending.get(message.job);
    pending.delete(message.job);
    if (message.failed === undefined) waiting?.resolve(message as unknown as Response);
    else waiting?.reject(new Error(message.failed));
  };
  worker.on('message', (message: ResponseMessage | ReadyMessage | FailedToStartMessage) => {
    if ('job' in message) settleJob(message);
    else {
      if ('failed' in message) end(new Error(message.failed));
      else pendingReady?.resolve(message);
      pendingReady = null;
    }
    updateRef();
  });
  worker.on('error', end);
  worker.on('exit', () => {
    exited = true;
    end(new Error('the thread ended'));
  });

  return {
    ready,
    send(request) {
      if (endError) return Promise.reject(endError);
      jobs += 1;
      const job = jobs;
      return new Promise((resolve, reject) => {
        pending.set(job, { resolve, reject });
        updateRef();
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- windows have origins, threads have none
        worker.postMessage({ ...request, job });
      });
    },
    async close() {
      end(new Error('closed'));
      if (exited) return;
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
