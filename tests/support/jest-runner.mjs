// oxlint-disable no-underscore-dangle, import/no-default-export -- jest-light-runner and Jest demand these names
// The test runner of Jest: jest-light-runner in child processes, with a fix for processes that
// start late and a deadline for the whole run. docs/decisions/0012-jest-light-runner.md says why.
import { createRunner } from 'jest-light-runner';

const LightRunner = createRunner({ runtime: 'child_process' });

/**
 * The run fails if no test file has ended for this long. In the long run (TEST_SEED=all), a single
 * test may take 20 minutes: see test-deadline.mjs.
 */
const defaultDeadlineMs = (process.env['TEST_SEED'] === 'all' ? 60 : 10) * 60_000;

/**
 * With one worker (`jest -w 1`), the tests run in Jest's own process. This is the time, in
 * milliseconds, after the last test until the process is made to exit, even if a test has left a
 * server, a connection or a timer open, for example after a failed `beforeAll`. Jest itself warns
 * of the open handle after one second.
 */
const exitAfterMs = 3_000;

/**
 * Returns a channel between the pool of test processes and one test process. A test process asks
 * the pool for its configuration when it gets its first test file. The channel of jest-light-runner
 * is shared by all processes and answers only the first question. A process that starts later would
 * wait forever. This channel answers the questions of its own process.
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

  /** `options.deadlineMs` replaces the default deadline. Only the test of this runner sets it. */
  constructor(globalConfig, context, options) {
    super(globalConfig, context, options);
    this.#deadlineMs = options?.deadlineMs ?? defaultDeadlineMs;
  }

  /**
   * Runs all test files. At the deadline, ends the test processes and fails each unfinished file.
   */
  async runTests(tests, watcher, onStart, onResult, onFailure) {
    // With one worker (`jest -w 1`), the files run in Jest's own process, for debugging.
    if (this._runtime !== 'child_process') {
      await super.runTests(tests, watcher, onStart, onResult, onFailure);
      const { watch, watchAll } = this._globalConfig;
      if (!watch && !watchAll) setTimeout(() => process.exit(), exitAfterMs).unref();
      return;
    }
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

  /** Runs one test file in the next free process. The first call starts the pool of processes. */
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
