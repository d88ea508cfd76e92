import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { openKeys, readPepper } from '@lectern/keys';
import { linkData, repositoryRoot, startProcess, withFolder } from '@lectern/testing';
import { operatorPassword } from './support/admin-fixture';
import { createBrowserClient, hiddenFields } from './support/browser-client';
import { readOutbox } from './support/key-stores';

jest.setTimeout(60_000);

/** A request on the form of the service whose keys lie in this folder. */
async function asked(folder: string): Promise<string> {
  const keys = openKeys({
    file: join(folder, 'keys.sqlite'),
    pepper: readPepper({ setting: undefined, file: join(folder, 'key-pepper') }),
  });
  await keys.submitRequest({
    email: 'reader@example.net',
    name: 'Reader',
    description: 'A plan.',
    environment: 'test',
  });
  const [request] = await keys.requests();
  await keys.close();
  return request?.id ?? '';
}

/** What the one mail in the folder's outbox tells to ask. */
const toldIn = async (folder: string): Promise<string | undefined> =>
  /curl (\S+)/.exec((await readOutbox(join(folder, 'outbox')))[0]?.text ?? '')?.[1];

test.each([['gateway/dist/main.js'], ['packages/standalone/dist/main.js']])(
  'without PUBLIC_URL a mail from %s names the port that it listens on',
  async (file) => {
    await withFolder(async (folder) => {
      linkData(folder);
      const room = await startProcess(file, {
        LECTERN_DATA: folder,
        OPERATOR_PASSWORD: operatorPassword,
        SEMANTIC_TRANSLATIONS: '',
        DRAIN_MS: '0',
      });
      const operator = createBrowserClient(room.origin);
      await operator.submitForm('/admin/sign-in', { password: operatorPassword });
      const page = `/admin/requests/${await asked(folder)}`;
      const { csrf = '' } = hiddenFields((await operator.get(page)).text);
      expect((await operator.post(`${page}/approve`, { csrf })).status).toBe(303);
      room.child.kill('SIGTERM');
      expect(await room.ended).toBe(0);
      expect(await toldIn(folder)).toBe(`http://localhost:${room.port}/graphql`);
    });
  },
);

test.each([
  [{}, 'http://localhost:4000/graphql'],
  [{ PORT: '5000' }, 'http://localhost:5000/graphql'],
  [{ PORT: '5000', PUBLIC_URL: 'https://bible.example.org/' }, 'https://bible.example.org/graphql'],
])('a mail from the keys command with %j says %s', async (env, told) => {
  await withFolder(async (folder) => {
    const id = await asked(folder);
    const { status } = spawnSync(
      process.execPath,
      [join(repositoryRoot, 'packages/keys/dist/main.js'), 'approve', id, '--data', folder],
      { env },
    );
    expect(status).toBe(0);
    expect(await toldIn(folder)).toBe(told);
  });
});
