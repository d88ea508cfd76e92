import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { spawnRoom, startRoom, withFolder } from '@lectern/testing';
import { linkData } from './linked-data';

jest.setTimeout(60_000);

const main = 'packages/standalone/dist/main.js';

test('a first start prints the endpoint, a key and a line that works when pasted; a second one is quiet about the key; Ctrl-C ends both with 0', async () => {
  await withFolder(async (folder) => {
    linkData(folder);
    const first = await startRoom(main, { LECTERN_DATA: folder });
    while (!first.output().includes('curl')) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(first.output()).toContain(`http://127.0.0.1:${first.port}/graphql`);
    expect(first.output()).toMatch(/Key +svc_test_[A-Za-z0-9_-]{49}\n/);
    const line = first.output().split('\n').find((each) => each.startsWith('curl ')) ?? '';
    expect(JSON.parse(execFileSync('bash', ['-c', line], { encoding: 'utf8' }))).toEqual({ data: { verse: { reference: 'John 3:16', text: expect.stringContaining('For God so loved the world') } } });
    first.child.kill('SIGINT');
    expect(await first.ended).toBe(0);

    const second = await startRoom(main, { LECTERN_DATA: folder });
    while (!second.output().includes('curl')) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(second.output()).not.toContain('svc_test_');
    expect(second.output()).toContain('npm run keys -- issue');
    second.child.kill('SIGINT');
    expect(await second.ended).toBe(0);
    // The secret is its owner's alone.
    expect(statSync(join(folder, 'key-pepper')).mode & 0o077).toBe(0);
  });
});

test('a production start issues no key by itself', async () => {
  await withFolder(async (folder) => {
    linkData(folder);
    const started = await startRoom(main, { LECTERN_DATA: folder, LECTERN_ENVIRONMENT: 'live' });
    while (!started.output().includes('curl')) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(started.output()).not.toContain('svc_live_');
    started.child.kill('SIGTERM');
    expect(await started.ended).toBe(0);
  });
});

// An installed module is a source that this test cannot take away.
const withoutModules = existsSync('/usr/share/sword/modules/texts') ? test.skip : test;

withoutModules('without any source of texts it says what to install or where to put the files, and exits', async () => {
  await withFolder(async (folder) => {
    mkdirSync(join(folder, 'bin'));
    const { ended, output } = spawnRoom(main, { LECTERN_DATA: join(folder, 'data'), PATH: join(folder, 'bin'), SWORD_PATH: join(folder, 'none'), LECTERN_TEXT_MIRROR: 'http://127.0.0.1:9' });
    expect(await ended).toBe(1);
    expect(output()).toContain('apt-get install');
    expect(output()).toContain('SWORD_PATH');
    expect(output()).not.toMatch(/^\s+at /m);
  });
});
