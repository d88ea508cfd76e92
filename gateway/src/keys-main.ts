import { runKeysCommand } from '@lectern/keys';
import { runCommand } from '@lectern/serving';

runCommand(() =>
  runKeysCommand(process.argv.slice(2), {
    env: process.env,
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    async readUsage(keys) {
      // Dynamic, because few commands need the Redis client.
      const { readUsageToday } = await import('./commands/usage-today.js');
      return readUsageToday(keys, { env: process.env, now: Date.now });
    },
  }),
);
