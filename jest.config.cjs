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
  // At least two workers: one process for all files would need too much memory.
  maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
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
