#!/usr/bin/env node
import { runCorpusCommand } from '@lectern/corpus';
import { isChecksummedFileError } from '@lectern/data-files';
import { exitWithReason } from '@lectern/serving';
import { buildIndexesAndVectors } from './data';

// In `npm run corpus -- list | head`, `head` closes the output early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

// `npm run corpus`: lists, verifies or changes the texts. A change builds outdated indexes.
const { argv, stdout, stderr, env } = process;
runCorpusCommand(argv.slice(2), {
  stdout,
  stderr,
  env,
  onTextsChanged: ({ dataDir, jobs, log }) => buildIndexesAndVectors({ dataDir, env, log, check: 'sizes', jobs }),
}).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    if (!isChecksummedFileError(error)) return exitWithReason(error);
    stderr.write(`corpus: ${error.message}; the text is imported, and \`npm run data\` continues\n`);
    process.exitCode = 1;
  },
);
