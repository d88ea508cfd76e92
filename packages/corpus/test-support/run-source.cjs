// Runs a TypeScript source file in a process of its own, without a build: node run-source.cjs FILE [arguments]
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join, resolve } = require('node:path');
const { transformSync } = require('@swc/core');

const root = resolve(__dirname, '../../..');
const resolveFilename = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) => {
  const name = /^@lectern\/([a-z-]+)$/.exec(request)?.[1];
  return name ? join(root, 'packages', name, 'src', 'index.ts') : resolveFilename(request, ...rest);
};
require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  module._compile(code, filename);
};

const [, , file, ...args] = process.argv;
process.argv = [process.argv[0], file, ...args];
require(resolve(file));
