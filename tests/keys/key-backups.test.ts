import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, useStarted } from '@lectern/testing';
import { issueKey } from '../support/embedded-lectern';
import { keyStores } from '../support/key-stores';
import { readDocumentationExamples } from '../support/read-documentation-examples';

const programs = {
  SQLite: findProgram(['sqlite3'], 'sqlite3'),
  PostgreSQL: findProgram(['pg_dump'], 'postgresql-client'),
};

describe.each(keyStores)('%s', (name, start) => {
  const server = useStarted(start);
  const testInstalled = programs[name as keyof typeof programs] === null ? test.skip : test;

  testInstalled(
    `the commands of docs/repair.md restore the keys in ${name}: a later key is unknown, an earlier one valid`,
    async () => {
      const deployment = await server.createDeployment();
      const [backUp = '', restore = ''] = readDocumentationExamples('docs/repair.md')
        .filter(({ section }) => section === `Keys in ${name}`)
        .map(({ code }) => code);
      const here = join(deployment.folder, 'here');
      mkdirSync(here);
      symlinkSync(deployment.folder, join(here, 'data'));
      const run = (command: string) =>
        execFileSync('sh', ['-e', '-c', command], { cwd: here, env: { ...process.env, ...deployment.env } });

      const keys = await deployment.open();
      const { token: earlier, key } = await issueKey(keys, { email: 'earlier@example.org' });
      run(backUp);
      await keys.revoke(key.id, 'a test');
      const { token: later } = await issueKey(keys, { email: 'later@example.org' });
      await keys.close();
      run(restore);

      const restored = await deployment.open();
      expect(await restored.authenticate(earlier, 'test')).toMatchObject({ kind: 'caller', key: { id: key.id } });
      expect((await restored.authenticate(later, 'test')).kind).not.toBe('caller');
      await restored.close();
    },
  );
});
