// oxlint-disable import/no-default-export -- jest-light-runner demands this name
// Ends a process that runs tests when Jest disconnects at the end of the run, even if a test has
// left a timer or a connection open.
process.once('disconnect', () => process.exit());

/**
 * Called before each test file of the process. An exit code that an earlier file left would change
 * the exit code that commander reports for `help`.
 */
export default function resetExitCode() {
  process.exitCode = undefined;
}
