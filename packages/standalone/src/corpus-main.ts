#!/usr/bin/env node
import { runCorpusCommand } from '@lectern/corpus';
import { isChecksummedFileError } from '@lectern/data-files';
import { runCommand } from '@lectern/serving';

const { argv, stdout, stderr, env } = process;

// The command `npm run corpus`: lists, verifies or changes the texts. After a change, it builds outdated indexes.
runCommand(async () => {
  try {
    return await runCorpusCommand(argv.slice(2), {
      stdout,
      stderr,
      env,
      async exportVectors(options) {
        const { exportVectors } = await import('@lectern/search');
        return exportVectors({ ...options, env });
      },
      async onTextsChanged({ dataDir, jobs, log }) {
        // The import is dynamic, because loading the code that builds all indexes takes longer than the command `list`.
        const { buildIndexesAndVectors } = await import('./data.js');
        await buildIndexesAndVectors({ dataDir, env, log, check: 'sizes', jobs });
      },
    });
  } catch (error) {
    if (!isChecksummedFileError(error)) throw error;
    stderr.write(`corpus: ${error.message}; the text is imported, and \`npm run data\` continues\n`);
    return 1;
  }
});
