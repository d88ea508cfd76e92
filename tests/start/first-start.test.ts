import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { linkData, startProcess, withFolder } from '@lectern/testing';
import { waitUntil } from '../support/processes';

const main = 'packages/standalone/dist/main.js';

/** Starts the service in a folder that has the texts, but not the files of the study subgraph. */
async function startUnfinished(folder: string) {
  linkData(folder);
  rmSync(join(folder, 'study-catalogue.sqlite'));
  const started = await startProcess(main, { LECTERN_DATA: folder, SEMANTIC_TRANSLATIONS: '' });
  await waitUntil(() => started.output().includes('curl'));
  return started;
}

test('npm start serves the texts while other data is built, and the other fields when their data is ready', async () => {
  await withFolder(async (folder) => {
    const started = await startUnfinished(folder);
    const url = `http://127.0.0.1:${started.port}`;
    const token = /svc_test_[\w-]+/.exec(started.output())?.[0] ?? '';
    const request = async (query: string): Promise<unknown> => {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ query }),
      });
      return response.json();
    };
    const readiness = async (): Promise<unknown> => (await fetch(`${url}/ready`)).json();

    expect(await readiness()).toMatchObject({
      status: 'ready',
      degraded: expect.arrayContaining([{ subgraph: 'study', reason: 'its data is being built' }]),
    });
    expect(
      await request('{ verse(book: "John", chapter: 11, verse: 35) { text } topic(name: "FAITH") { name } }'),
    ).toMatchObject({
      data: { verse: { text: 'Jesus wept.' }, topic: null },
      errors: [{ path: ['topic'], extensions: { code: 'SUBGRAPH_UNAVAILABLE' } }],
    });
    await waitUntil(() => started.output().includes('Everything is ready.'));
    expect(await request('{ topic(name: "FAITH") { name } }')).toEqual({ data: { topic: { name: 'FAITH' } } });
    expect(await readiness()).toEqual({ status: 'ready' });
    started.child.kill('SIGINT');
    expect(await started.ended).toBe(0);
  });
});

test('Ctrl-C while other data is built ends the service and the process that builds the data', async () => {
  await withFolder(async (folder) => {
    const started = await startUnfinished(folder);
    started.child.kill('SIGINT');
    // The builder writes to the same output, which closes only when the builder has ended too.
    expect(await started.ended).toBe(0);
    expect(started.output()).not.toContain('Everything is ready.');
  });
});
