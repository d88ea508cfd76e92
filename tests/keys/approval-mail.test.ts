import { join } from 'node:path';
import { itemsOfThisRun, linkData, startProcess, withFolder } from '@lectern/testing';
import { operatorPassword } from '../support/admin-fixture';
import { createBrowserClient, hiddenFields } from '../support/form-client';
import { createRequests, runKeysWithEnv } from '../support/keys-command';
import { readOutbox } from '../support/outbox';

/**
 * Returns the URL in the sample request of the only mail in the outbox, or undefined if the mail
 * has no sample request.
 */
const urlInMail = async (folder: string): Promise<string | undefined> =>
  /curl (\S+)/.exec((await readOutbox(join(folder, 'outbox')))[0]?.text ?? '')?.[1];

// `npm test` starts one of the programs, and `npm run test:long` starts both.
test.each(itemsOfThisRun(['gateway/dist/main.js', 'packages/standalone/dist/main.js'], 2))(
  'if PUBLIC_URL is not set, the approval mail that %s sends has a URL with localhost and the port of the program',
  async (file) => {
    await withFolder(async (folder) => {
      linkData(folder);
      const service = await startProcess(file, {
        LECTERN_DATA: folder,
        OPERATOR_PASSWORD: operatorPassword,
        SEMANTIC_TRANSLATIONS: '',
        DRAIN_MS: '0',
      });
      const client = createBrowserClient(service.origin);
      await client.submitForm('/admin/sign-in', { password: operatorPassword });
      const [id = ''] = await createRequests(folder, 1);
      const page = `/admin/requests/${id}`;
      const { csrf = '' } = hiddenFields((await client.get(page)).text);
      expect((await client.post(`${page}/approve`, { csrf })).status).toBe(303);
      service.child.kill('SIGTERM');
      expect(await service.ended).toBe(0);
      expect(await urlInMail(folder)).toBe(`http://localhost:${service.port}/graphql`);
    });
  },
);

test.each([
  [{}, 'http://localhost:4000/graphql'],
  [{ PORT: '5000' }, 'http://localhost:5000/graphql'],
  [{ PORT: '5000', PUBLIC_URL: 'https://bible.example.org/' }, 'https://bible.example.org/graphql'],
])('the approval mail of the command keys with the settings %j contains the URL %s', async (env, url) => {
  await withFolder(async (folder) => {
    const [id = ''] = await createRequests(folder, 1);
    expect(await runKeysWithEnv(env, 'approve', id, '--data', folder)).toMatchObject({ code: 0 });
    expect(await urlInMail(folder)).toBe(url);
  });
});
