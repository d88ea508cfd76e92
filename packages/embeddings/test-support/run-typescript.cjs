// Compiles and runs a TypeScript file of this package, without a build: node run-typescript.cjs FILE [arguments]
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join, resolve } = require('node:path');
const { transformSync } = require('@swc/core');

const packages = resolve(__dirname, '../..');
const find = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) =>
  request.startsWith('@lectern/')
    ? join(packages, request.slice('@lectern/'.length), 'src', 'index.ts')
    : find(request, ...rest);
require.extensions['.ts'] = (module, file) => {
  const options = {
    filename: file,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  };
  module._compile(transformSync(readFileSync(file, 'utf8'), options).code, file);
};

process.argv.splice(1, 1);
require(resolve(process.argv[1]));
