const { availableParallelism } = require('node:os');

/** @type {import('jest').Config} */
module.exports = {
  // Tests run in bare Node.js processes: docs/decisions/0012-test-runner.md.
  runner: '<rootDir>/tests/support/test-runner.mjs',
  setupFiles: ['<rootDir>/tests/support/prepare-test-process.mjs'],
  setupFilesAfterEnv: ['<rootDir>/tests/support/test-deadline.mjs'],
  // One process more than cores: tests that start processes wait a third of their time. At most 8, to bound memory.
  maxWorkers: Math.min(availableParallelism() + 1, 8),
  testSequencer: '<rootDir>/tests/support/longest-first-sequencer.cjs',
  testMatch: [
    '<rootDir>/{packages,services}/*/src/**/*.test.ts',
    '<rootDir>/gateway/src/**/*.test.ts',
    '<rootDir>/tests/**/*.test.ts',
  ],
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/data/'],
};
