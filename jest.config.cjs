const { availableParallelism } = require('node:os');

/** @type {import('jest').Config} */
module.exports = {
  // Test files run as plain Node.js modules, without Jest's module sandbox:
  // docs/decisions/0012-jest-light-runner.md.
  runner: '<rootDir>/tests/support/jest-runner.mjs',
  setupFiles: ['<rootDir>/tests/support/resolve-source.mjs', '<rootDir>/tests/support/exit-on-disconnect.mjs'],
  setupFilesAfterEnv: ['<rootDir>/tests/support/test-deadline.mjs'],
  // One process more than there are cores, because tests that start services wait a third of their time.
  // At most 8, to bound the memory.
  maxWorkers: Math.min(availableParallelism() + 1, 8),
  testSequencer: '<rootDir>/tests/support/longest-first-sequencer.cjs',
  testMatch: [
    '<rootDir>/{packages,services}/*/src/**/*.test.ts',
    '<rootDir>/gateway/src/**/*.test.ts',
    '<rootDir>/tests/**/*.test.ts',
  ],
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/data/'],
};
