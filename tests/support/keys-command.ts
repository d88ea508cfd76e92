import { join } from 'node:path';
import { openKeys, readPepper, runKeysCommand } from '@lectern/keys';
import { waitUntil } from './processes';

/** Runs the `keys` command in this process, with the key store in this data folder. */
export async function runKeys(folder: string, ...args: string[]) {
  return runKeysWithEnv({}, ...args, '--data', folder);
}

/** Runs the `keys` command in this process, with these environment variables. */
export async function runKeysWithEnv(env: NodeJS.ProcessEnv, ...args: string[]) {
  const output = { stdout: '', stderr: '' };
  const code = await runKeysCommand(args, {
    env,
    stdout: (text) => (output.stdout += text),
    stderr: (text) => (output.stderr += text),
  });
  return { code, ...output };
}

/** Runs the `keys` command with `--json`, and returns its parsed output. */
export const runKeysJson = async (folder: string, ...args: string[]) =>
  JSON.parse((await runKeys(folder, ...args, '--json')).stdout) as Record<string, unknown>;

/** Creates `count` pending requests for keys. Returns their ids, oldest first. */
export const createRequests = async (folder: string, count: number) => {
  const keys = openKeys({
    file: join(folder, 'keys.sqlite'),
    pepper: readPepper({ setting: undefined, file: join(folder, 'key-pepper') }),
  });
  for (let number = 1; number <= count; number += 1) {
    const submittedAt = Date.now();
    await keys.submitRequest({
      email: `${number}@example.org`,
      name: `Nº ${number}`,
      description: 'A plan.\nFor two.',
      environment: 'test',
    });
    // The order of requests of the same millisecond is undefined.
    if (number < count) await waitUntil(() => Date.now() > submittedAt);
  }
  const requests = await keys.requests();
  await keys.close();
  return requests.map(({ id }) => id);
};
