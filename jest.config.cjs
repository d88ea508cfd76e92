const { availableParallelism } = require('node:os');

/** The packages outside packages/, by the name that imports use. */
const sources = {
  gateway: 'gateway',
  text: 'services/text',
  search: 'services/search',
  concordance: 'services/concordance',
};

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  // A deadline against hanging tests, not a measure of speed: a slow or busy machine must not fail a test.
  testTimeout: 60_000,
  // One worker more than cores: tests that start processes wait a third of their time. At most 8, to bound memory.
  maxWorkers: Math.min(availableParallelism() + 1, 8),
  // Restarts a worker between two files when it holds more memory. Each file leaves its modules behind.
  workerIdleMemoryLimit: '1GB',
  testSequencer: '<rootDir>/tests/support/longest-first-sequencer.cjs',
  testMatch: [
    '<rootDir>/{packages,services}/*/src/**/*.test.ts',
    '<rootDir>/gateway/src/**/*.test.ts',
    '<rootDir>/tests/**/*.test.ts',
  ],
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/data/'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  // Imports of our packages lead to src instead of dist, so that no test runs against a stale build.
  moduleNameMapper: {
    ...Object.fromEntries(
      Object.entries(sources).map(([name, path]) => [`^@lectern/${name}$`, `<rootDir>/${path}/src/index.ts`]),
    ),
    '^@lectern/([a-z-]+)$': '<rootDir>/packages/$1/src/index.ts',
  },
};
