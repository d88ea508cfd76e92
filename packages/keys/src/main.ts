import { exitWithReason } from '@lectern/serving';
import { runKeysCommand } from './command';

async function main(): Promise<void> {
  process.exitCode = await runKeysCommand(process.argv.slice(2), {
    env: process.env,
    out: (line) => console.log(line),
    err: (line) => console.error(line),
  });
}

main().catch(exitWithReason);
