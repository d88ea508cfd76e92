// oxlint-disable no-underscore-dangle, import/no-default-export -- jest-light-runner and Jest demand these names
// Runs jest-light-runner in child processes. Repairs the start of these processes, and adds a deadline for the run.
// docs/decisions/0012-test-runner.md says why.
import { createRunner } from 'jest-light-runner';

const LightRunner = createRunner({ runtime: 'child_process' });

/**
 * The run ends when no test file has ended for this long. With TEST_SEED=all, one test may need 20 minutes
 * (test-deadline.mjs).
 */
const defaultDeadlineMs = (process.env['TEST_SEED'] === 'all' ? 60 : 10) * 60_000;

/**
 * Returns the channel between the pool and one process. The process asks for its configuration as soon as it can
 * receive the answer. jest-light-runner has one channel for all processes. It sends its answer to the first question to
 * all processes, and does not answer later questions. A process that starts after the first answer waits forever.
 */
function createChannel(workerData) {
  let send;
  return {
    onMessage: (listener) => (send = listener),
    postMessage: (message) => {
      if (message === 'jest-light-runner-get-worker-data') send({ type: 'jest-light-runner-worker-data', workerData });
    },
  };
}

export default class TestRunner extends LightRunner {
  #deadlineMs;

  /** Option `deadlineMs`: replaces the deadline of the run. */
  constructor(globalConfig, context, options) {
    super(globalConfig, context, options);
    this.#deadlineMs = options?.deadlineMs ?? defaultDeadlineMs;
  }

  /** Runs all files. At the deadline, each file that has not ended fails, and its process is ended. */
  async runTests(tests, watcher, onStart, onResult, onFailure) {
    // With one worker, the files run in Jest's own process, for debugging.
    if (this._runtime !== 'child_process') return super.runTests(tests, watcher, onStart, onResult, onFailure);
    let error;
    const timer = setTimeout(() => {
      error = new Error(`The file did not end: no test file has ended for ${this.#deadlineMs / 1000} s.`);
      error.stack = '';
      for (const { pool } of this._testRunners.values()) pool.destroy();
    }, this.#deadlineMs);
    const start = async (test) => {
      if (error) throw error;
      await onStart(test);
    };
    const endWith = (report) => (test, outcome) => {
      if (!error) timer.refresh();
      return report(test, outcome);
    };
    try {
      await super.runTests(
        tests,
        watcher,
        start,
        endWith(onResult),
        endWith((test, failure) => onFailure(test, error ?? failure)),
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /** Runs one file in the next free process. The first call starts the processes. */
  _runTest(test) {
    const { config } = test.context;
    const isStarted = this._testRunners.has(config);
    const result = super._runTest(test);
    if (isStarted || this._runtime !== 'child_process') return result;
    const runner = this._testRunners.get(config);
    const workerData = { globalConfig: this._globalConfig, projectConfig: config, runtime: this._runtime };
    runner.run = ({ path }) => runner.pool.run(path, { channel: createChannel(workerData) });
    return result;
  }
}
