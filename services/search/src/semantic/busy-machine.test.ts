import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { createWorkScheduler } from '@lectern/subgraph';
import { useStarted } from '@lectern/testing';
import { openSemanticClient } from '../../test-support/semantic-client';

/** A program that computes without end, and ends with the process that has started it. */
const busyLoop =
  'process.stdin.on("end", () => process.exit()).resume(); setInterval(() => { for (const end = Date.now() + 90; Date.now() < end; ); }, 1)';

/** Starts a busy process for each core, so that the tests get half of the machine. */
const processes = useStarted(async () => {
  const children = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', busyLoop], { stdio: ['pipe', 'ignore', 'ignore'] }),
  );
  return {
    children,
    close: async () => {
      for (const child of children) child.kill();
    },
  };
});

test('beside a busy process for each core, no search by mode BEST for five verses is rejected, not even the first one', async () => {
  expect(processes.children.every(({ exitCode }) => exitCode === null)).toBe(true);
  const client = await openSemanticClient({ scheduler: createWorkScheduler() });
  const searches = Array.from({ length: 8 }, (_, index) =>
    client.execute(
      'query ($query: String!) { searchVerses(query: $query, mode: BEST, first: 5) { edges { node { text } } } }',
      { query: `how do I forgive someone who hurt me ${index}` },
    ),
  );
  for (const { errors, data } of await Promise.all(searches)) {
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ searchVerses: { edges: Array.from({ length: 5 }, () => expect.anything()) } });
  }
  await client.close();
});
