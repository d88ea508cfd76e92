import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** A thread of `workers/` that answers jobs by number. */
interface Thread<Request extends object, Answer extends object> {
  /** Resolves when it can take jobs, with what it says about itself; rejects with the reason why it cannot. */
  readonly ready: Promise<Readonly<Record<string, unknown>>>;
  send(request: Request): Promise<Answer>;
  close(): Promise<void>;
}

/** What a thread computes lies outside JavaScript's memory. V8's own choice would keep 40 MB more for each. */
const youngMegabytes = 2;

interface Waiting<Answer> {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

type Reply = { job: number; failed?: string } & Record<string, unknown>;

/** A thread that the first who needs it starts, and the next again should it have ended, which only a fault makes it do. After `close` there is none. */
export function createRespawningThread<Request extends object, Answer extends object>(
  file: string,
  workerData: unknown,
) {
  let thread: Thread<Request, Answer> | null = null;
  let closed = false;
  const running = (): Thread<Request, Answer> => {
    if (closed) throw new Error('closed');
    const started: Thread<Request, Answer> =
      thread ??
      startThread(file, workerData, () => {
        if (thread === started) thread = null;
      });
    thread = started;
    return started;
  };
  return {
    ready: async () => running().ready,
    ask: async (request: Request) => running().send(request),
    async close(): Promise<void> {
      closed = true;
      await thread?.close();
    },
  };
}

/** `onEnd` is told when it ends; everything asked of it rejects before. */
function startThread<Request extends object, Answer extends object>(
  file: string,
  workerData: unknown,
  onEnd: () => void,
): Thread<Request, Answer> {
  // onnxruntime reports its use to its makers unless it is told not to, and reads this once, when it is loaded.
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
  const worker = new Worker(join(__dirname, '..', 'workers', file), {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
  });
  const waiting = new Map<number, Waiting<Answer>>();
  let jobs = 0;
  let ended: Error | null = null;
  let closing = false;
  let gone = false;
  let settleReady: Waiting<Readonly<Record<string, unknown>>> | null = null;
  const ready = new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
    settleReady = { resolve, reject };
  });
  // Whoever awaits `ready` hears of it; a thread that nobody awaits must not end the process.
  ready.catch(() => {});

  /** A thread without work holds no process open; one that is to end does, until it has. */
  const refer = (): void => (waiting.size > 0 || settleReady || closing ? worker.ref() : worker.unref());
  const end = (error: Error): void => {
    if (ended) return;
    ended = error;
    settleReady?.reject(error);
    settleReady = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    onEnd();
  };
  worker.on('message', (message: Reply | { ready: true } | { failed: string }) => {
    if (!('job' in message)) {
      if ('failed' in message) end(new Error(message.failed));
      else settleReady?.resolve(message);
      settleReady = null;
    } else {
      const asked = waiting.get(message.job);
      waiting.delete(message.job);
      if (message.failed === undefined) asked?.resolve(message as unknown as Answer);
      else asked?.reject(new Error(message.failed));
    }
    refer();
  });
  worker.on('error', end);
  worker.on('exit', () => {
    gone = true;
    end(new Error('the thread ended'));
  });

  return {
    ready,
    send(request) {
      if (ended) return Promise.reject(ended);
      jobs += 1;
      const job = jobs;
      return new Promise((resolve, reject) => {
        waiting.set(job, { resolve, reject });
        refer();
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- windows have origins, threads have none
        worker.postMessage({ ...request, job });
      });
    },
    async close() {
      end(new Error('closed'));
      if (gone) return;
      closing = true;
      refer();
      const exited = new Promise((resolve) => worker.once('exit', resolve));
      // It ends by itself between two runs: ended from outside within one, onnxruntime takes the whole process with it.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- windows have origins, threads have none
      worker.postMessage({ close: true });
      await exited;
    },
  };
}
