import { runCommand } from '@lectern/serving';
import { runDocumentsCommand } from './commands/check-documents';

runCommand(() =>
  runDocumentsCommand(process.argv.slice(2), {
    env: process.env,
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
  }),
);
