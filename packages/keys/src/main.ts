import { exitWithReason } from '@lectern/serving';
import { runKeysCommand } from './command/run-keys-command';

async function main(): Promise<void> {
  process.exitCode = await runKeysCommand(process.argv.slice(2), {
    env: process.env,
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
  });
}

main().catch(exitWithReason);
