const { availableParallelism } = require('node:os');

/** Source, not dist: a test never runs against a stale build. */
const rooms = {
  gateway: 'gateway',
  text: 'services/text',
  search: 'services/search',
  concordance: 'services/concordance',
};

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  // Time is no test here: a slow or busy machine must not fail what is right.
  testTimeout: 60_000,
  // Never in one process: what the modules of each file leave behind adds up to more than a process may have. A worker that has grown is begun anew.
  maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
  workerIdleMemoryLimit: '1GB',
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
  moduleNameMapper: {
    ...Object.fromEntries(
      Object.entries(rooms).map(([name, path]) => [`^@lectern/${name}$`, `<rootDir>/${path}/src/index.ts`]),
    ),
    '^@lectern/([a-z-]+)$': '<rootDir>/packages/$1/src/index.ts',
  },
};
