// oxlint-disable unicorn/require-post-message-target-origin -- windows have origins, threads have none
import { parentPort, Worker } from 'node:worker_threads';

interface ThreadsOptions<Item, Result> {
  items: readonly Item[];
  /** The maximum number of threads. */
  jobs: number;
  /** The compiled module of the threads, which calls `answerItems`. */
  workerFile: string;
  workerData: unknown;
  /** Receives the result of each item as soon as it is there. If it throws, all threads end. */
  onResult: (result: Result, item: Item) => void | Promise<void>;
}

/** Distributes items to worker threads, one item at a time. Rejects with the first error. */
export async function runInThreads<Item, Result>(options: ThreadsOptions<Item, Result>): Promise<void> {
  const waiting = [...options.items];
  const threads = Array.from({ length: Math.min(options.jobs, waiting.length) }, () => runInThread(waiting, options));
  const failed = (await Promise.allSettled(threads)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

function runInThread<Item, Result>(
  waiting: Item[],
  { workerFile, workerData, onResult }: ThreadsOptions<Item, Result>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile, { workerData });
    let current: Item;
    const sendNext = () => {
      const item = waiting.shift();
      if (item === undefined) {
        resolve();
        void worker.terminate();
      } else {
        current = item;
        worker.postMessage(item);
      }
    };
    const fail = (error: Error) => {
      // Without waiting items, the other threads stop after their current item.
      waiting.length = 0;
      reject(error);
      void worker.terminate();
    };
    worker.on('error', fail);
    // Without this listener, the caller would wait forever for a thread that has exited by itself.
    worker.on('exit', () => reject(new Error(`the thread of ${workerFile} ended`)));
    worker.on('message', (result: Result) => {
      Promise.resolve()
        .then(() => onResult(result, current))
        .then(sendNext, fail);
    });
    sendNext();
  });
}

/** Handles the items that this thread receives from `runInThreads`. */
export function answerItems<Item, Result>(answer: (item: Item) => Promise<Result>): void {
  parentPort?.on('message', (item: Item) => {
    void answer(item).then((result) => parentPort?.postMessage(result));
  });
}
