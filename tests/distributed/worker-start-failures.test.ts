import { copyFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { freePort, graphqlHeaders, repositoryRoot, send, spawnProcess, withFolder } from '@lectern/testing';
import { pepper } from '../support/embedded-lectern';
import { openProcesses, waitUntil } from '../support/processes';
import { childrenOf, countOf, times } from '../support/service-with-workers';

test('the primary process keeps its old worker processes if new ones cannot start, and exits with 1 once no worker process is left', () =>
  withFolder(async (folder) => {
    // Each worker of this gateway reads the supergraph only at its start (SUPERGRAPH_POLL_MS=0). So
    // new workers fail if the file is invalid, and the old workers go on.
    const processes = await openProcesses();
    const file = join(folder, 'supergraph.graphql');
    copyFileSync(join(repositoryRoot, 'supergraph.graphql'), file);
    const { gateway } = await processes.startGateway(
      { text: ['http://127.0.0.1:9'] },
      { WORKERS: '2', SUPERGRAPH: file, SUPERGRAPH_POLL_MS: '0', RATE_PER_DAY: '5' },
    );
    try {
      await waitUntil(() => gateway.output().includes('gateway ready'));
      const before = childrenOf(gateway).sort();
      expect(before).toHaveLength(2);
      writeFileSync(file, 'no supergraph');
      gateway.child.kill('SIGHUP');
      await waitUntil(() => gateway.output().includes('the restart failed'));
      expect(childrenOf(gateway).sort()).toEqual(before);
      const responses = await times(8, () =>
        send(`${gateway.origin}/graphql`, {
          headers: graphqlHeaders(processes.token),
          body: JSON.stringify({ query: '{ __typename }' }),
        }),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
      for (const pid of before) process.kill(pid, 'SIGKILL');
      expect(await gateway.ended).toBe(1);
      expect(gateway.output()).toMatch(/^No worker is left, and \d+ in a row could not be started/m);
    } finally {
      await processes.close();
    }
  }));

test('a gateway with two workers exits with 1 if its supergraph file is missing or its PORT is taken, and prints the error once, without a stack trace', () =>
  withFolder(async (folder) => {
    const otherServer = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => otherServer.once('listening', resolve));
    const { port } = otherServer.address() as AddressInfo;
    const failures: [Record<string, string>, string[]][] = [
      [
        { PORT: String(await freePort()), SUPERGRAPH: join(folder, 'missing.graphql') },
        ['npm run compose', 'Lectern does not start: a worker ended before it was ready'],
      ],
      [{ PORT: String(port) }, [`Port ${port} on 127.0.0.1 is taken`]],
    ];
    for (const [settings, messages] of failures) {
      const env = { LECTERN_DATA: folder, KEY_PEPPER: pepper, WORKERS: '2', ...settings };
      const { ended, output } = spawnProcess('gateway/dist/main.js', env);
      expect(await ended).toBe(1);
      for (const message of messages) expect([message, countOf(output(), message)]).toEqual([message, 1]);
      expect(output()).not.toMatch(/^\s+at /m);
    }
    otherServer.close();
  }));
