// Adds a deadline to each test and hook. Without it, jest-light-runner waits forever for a test
// that hangs: unlike Jest's own runner, it ignores Jest's timeouts.
import { addEventHandler } from 'jest-circus';

/**
 * A deadline against tests that hang, not a limit on speed: tests must not fail because a machine
 * is slow or busy. In the long run (TEST_SEED=all), some tests take several minutes.
 */
const deadlineMs = process.env['TEST_SEED'] === 'all' ? 1_200_000 : 180_000;

/** @param {() => unknown} run */
const withDeadline = (run) => async () => {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const deadline = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The test did not end within ${deadlineMs / 1000} s.`)), deadlineMs);
  });
  try {
    return await Promise.race([run(), deadline]);
  } finally {
    clearTimeout(timer);
  }
};

addEventHandler(({ name }, { currentDescribeBlock }) => {
  const added =
    name === 'add_test'
      ? currentDescribeBlock.children.at(-1)
      : name === 'add_hook'
        ? currentDescribeBlock.hooks.at(-1)
        : undefined;
  if (added && 'fn' in added && added.fn) added.fn = withDeadline(/** @type {() => unknown} */ (added.fn));
});
