import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureCorpus } from '@lectern/corpus';
import { linkData, repositoryRoot, withFolder } from '@lectern/testing';
import { writeDefaultModules } from '../../packages/corpus/test-support/write-default-modules';

const buildData = join(repositoryRoot, 'packages', 'standalone', 'dist', 'data-main.js');
const keysCommand = join(repositoryRoot, 'gateway', 'dist', 'keys-main.js');

/** Runs a bash script. `$DATA` is a data folder, and `$BUILD` is the command of `npm run data`. */
const runScript = (script: string, folder: string, program = 'bash', args: readonly string[] = []) =>
  spawnSync(program, [...args, '-c', script], {
    cwd: repositoryRoot,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      LECTERN_DATA: folder,
      DATA: folder,
      BUILD: `${process.execPath} ${buildData}`,
      ONNXRUNTIME_NODE_INSTALL: 'skip',
    },
  });

/**
 * Writes the texts of three translations to `folder`, of about 100 kB each. `npm run data` builds a
 * search index of about 100 kB from each.
 */
async function makeSmallCorpus(folder: string): Promise<void> {
  const modules = join(folder, 'modules');
  writeDefaultModules(modules, 'lantern '.repeat(100));
  await ensureCorpus({ dataDir: folder, env: { SWORD_PATH: modules }, log: () => undefined });
  for (const name of ['.lock', 'modules', 'sources']) rmSync(join(folder, name), { recursive: true, force: true });
}

async function linkAllButPhrases(folder: string): Promise<void> {
  linkData(folder, (name) => name !== 'phrases.vec');
}

// If the system allows user namespaces, an ordinary user can mount a small disk in a new mount
// namespace.
const mountNamespace = ['--mount', '--map-root-user', 'bash'];
const canMount =
  spawnSync('unshare', [...mountNamespace, '-c', 'mount -t tmpfs -o size=1m tmpfs /mnt'], { stdio: 'ignore' })
    .status === 0;
const testWithDisk = canMount ? test : test.skip;
if (!canMount) process.stderr.write('skipped: tests with a full disk (this user may not mount one)\n');

const dataFilesIn = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

testWithDisk.each([
  // This disk has room for the texts, but not for the original texts, which are written next.
  ['almost full', 'originals', 'true'],
  ['completely full', 'originals', 'cat /dev/zero > "$DATA/zeros" 2> /dev/null'],
])(
  'npm run data on a disk that is %s names the file that it cannot write and the free space, and leaves no part of the file',
  async (_, file, fillDisk) => {
    await withFolder(async (folder) => {
      await makeSmallCorpus(folder);
      const disk = join(folder, 'disk');
      mkdirSync(disk);
      const texts = `${folder}/text-catalogue.sqlite ${folder}/translations`;
      const { status, stdout, stderr } = runScript(
        `mount -t tmpfs -o size=$(($(du -skc ${texts} | tail -n 1 | cut -f 1) + 64))k tmpfs "$DATA" && cp -r ${texts} "$DATA" && { ${fillDisk}; $BUILD; code=$?; cd "$DATA"; find . -name '*.part*'; exit $code; }`,
        disk,
        'unshare',
        mountNamespace,
      );
      expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
        new RegExp(
          `^${disk}/${file}\\.sqlite cannot be written, because the disk is full: [\\d.]+ MB are free in ${disk}(/translations/[a-z0-9-]+)? and more is needed\\. Free some space on the disk of that folder, or name a folder on another disk with LECTERN_DATA, then run the command again\\.$`,
        ),
      );
      expect(stdout).toBe('');
      expect(status).toBe(1);
    });
  },
);

testWithDisk('npm run keys on a full disk names the key store and says what to do', async () => {
  await withFolder(async (folder) => {
    const issue = (name: string) =>
      `${process.execPath} ${keysCommand} issue --email ${name}@example.org --name ${name} > /dev/null`;
    const { status, stderr } = runScript(
      `mount -t tmpfs -o size=1m tmpfs "$DATA" && ${issue('first')} && { cat /dev/zero > "$DATA/zeros" 2> /dev/null; ${issue('second')}; }`,
      folder,
      'unshare',
      mountNamespace,
    );
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(
      `The key store ${folder}/keys.sqlite cannot be used (disk I/O error). Check its disk, which may be full.`,
    );
    expect(status).toBe(1);
  });
});

test.each([
  ['originals.sqlite', makeSmallCorpus, 40],
  ['phrases.vec', linkAllButPhrases, 2_048],
])(
  'npm run data names the file %s if the file exceeds the limit on file sizes (ulimit -f), and leaves no part of the file',
  async (file, prepare, maxKilobytes) => {
    await withFolder(async (folder) => {
      await prepare(folder);
      const filesBefore = dataFilesIn(folder);
      const { status, stderr } = runScript(`ulimit -f ${maxKilobytes}; $BUILD`, folder);
      const lastLine = stderr.trimEnd().split('\n').at(-1);
      const [, named] = /^(.*) cannot be written \(/.exec(lastLine ?? '') ?? [];
      expect(named).toContain(file);
      expect(lastLine).toContain('the limit on file sizes (ulimit -f), or name a folder on another disk');
      expect(dataFilesIn(folder).filter((name) => name.includes('.part'))).toEqual([]);
      expect(dataFilesIn(folder)).toEqual(expect.arrayContaining(filesBefore));
      expect(status).toBe(1);
    });
  },
);

test('npm run corpus -- import names the file that exceeds the limit on file sizes (ulimit -f), and leaves no part of the file', async () => {
  await withFolder(async (folder) => {
    await makeSmallCorpus(folder);
    const filesBefore = dataFilesIn(folder);
    const verse = `<v id="1"/>${'lantern '.repeat(100)}<ve/>`;
    const source = `<usfx><languageCode>eng</languageCode><book id="PSA"><c id="1"/><p>${verse}</p></book></usfx>`;
    const importer = `${process.execPath} ${join(repositoryRoot, 'packages', 'standalone', 'dist', 'corpus-main.js')}`;
    const { status, stderr } = runScript(
      `echo '${source}' > "$DATA/eng-own.usfx"; ulimit -f 16; ${importer} import "$DATA/eng-own.usfx"`,
      folder,
    );
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
      /^corpus import: .*\/eng-own\/text\.sqlite cannot be written \(.*the limit on file sizes \(ulimit -f\)/,
    );
    expect(status).toBe(1);
    const added = dataFilesIn(folder).filter((name) => !filesBefore.includes(name));
    expect(added).toEqual(['.lock', 'eng-own.usfx', 'translations/eng-own']);
  });
});
