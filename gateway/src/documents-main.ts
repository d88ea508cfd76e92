import { exitWithReason } from '@lectern/serving';
import { runDocumentsCommand } from './commands/check-documents';

async function main(): Promise<void> {
  process.exitCode = await runDocumentsCommand(process.argv.slice(2), {
    env: process.env,
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
  });
}

main().catch(exitWithReason);
