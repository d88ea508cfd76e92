#!/usr/bin/env node
import { runCommand } from '@lectern/serving';
import { runEmbeddingsCommand } from './command';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

runCommand(() =>
  runEmbeddingsCommand(process.argv.slice(2), {
    env: process.env,
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    signal: stop.signal,
  }),
);
