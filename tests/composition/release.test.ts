import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot, withFolder } from '@lectern/testing';

/** The files that the command reads or changes: those of this checkout, committed or not. */
const files = execFileSync('git', ['ls-files', '*package.json'], { cwd: repositoryRoot, encoding: 'utf8' })
  .trim()
  .split('\n')
  .concat('package-lock.json', 'CHANGELOG.md');

/** Copies the files into a git repository, with the same folders. */
function copyInto(folder: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder });
  for (const file of files) {
    execFileSync('mkdir', ['-p', join(folder, file, '..')]);
    writeFileSync(join(folder, file), readFileSync(join(repositoryRoot, file)));
  }
  git('init', '--quiet');
  git('config', 'user.email', 'tests@localhost');
  git('config', 'user.name', 'tests');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Begin');
}

const release = (folder: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(repositoryRoot, 'scripts/release.mjs'), ...args],
    { cwd: folder, encoding: 'utf8' },
  );
  return { status, output: stdout + stderr };
};

test('npm run release sets one version everywhere, heads the changes, and makes a commit with a tag', () =>
  withFolder(async (folder) => {
    copyInto(folder);
    expect(release(folder, '9.8.7')).toMatchObject({ status: 0 });
    const read = (file: string) => readFileSync(join(folder, file), 'utf8');
    expect(JSON.parse(read('services/text/package.json'))).toMatchObject({ version: '9.8.7' });
    const { packages } = JSON.parse(read('package-lock.json'));
    expect(packages['services/text']).toMatchObject({ version: '9.8.7' });
    expect(packages['examples/reader'].dependencies).toMatchObject({ '@lectern/client': '9.8.7' });
    expect(read('CHANGELOG.md')).toMatch(/## Unreleased\n\n## 9\.8\.7 - \d{4}-\d\d-\d\d\n\n### API/);
    const tagged = execFileSync('git', ['log', '-1', '--format=%s', 'v9.8.7'], { cwd: folder, encoding: 'utf8' });
    expect(tagged).toBe('Release 9.8.7\n');
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' })).toBe('');
  }));

test.each([
  ['a version of another form', ['1.2'], 2, 'must be like 0.2.0'],
  ['no version', [], 2, '<version>'],
])('npm run release with %s exits with 2 and says what is wrong', (_, args, status, message) =>
  withFolder(async (folder) => {
    copyInto(folder);
    const result = release(folder, ...args);
    expect(result).toEqual({ status, output: expect.stringContaining(message) });
  }),
);

test('npm run release with uncommitted changes exits with 1 and changes nothing', () =>
  withFolder(async (folder) => {
    copyInto(folder);
    writeFileSync(join(folder, 'CHANGELOG.md'), 'changed');
    expect(release(folder, '9.8.7')).toEqual({ status: 1, output: expect.stringContaining('uncommitted changes') });
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).not.toContain('9.8.7');
  }));
