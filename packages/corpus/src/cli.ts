#!/usr/bin/env node
import { run } from './corpus-command';

// `npm run corpus -- list | head` closes the output early. That is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

void run(process.argv.slice(2), process).then((exitCode) => {
  process.exitCode = exitCode;
});
