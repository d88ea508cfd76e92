// Lets a test or a hook that hangs fail. jest-light-runner, unlike Jest's own runner, waits forever.
import { addEventHandler } from 'jest-circus';

/**
 * A deadline against hanging tests, not a measure of speed: a slow or busy machine must not fail a
 * test. With TEST_SEED=all, the long tests need several minutes each.
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
