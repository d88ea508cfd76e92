import { spawnSync } from 'node:child_process';
import { copyFileSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { dataDir, repositoryRoot, withFolder } from '@lectern/testing';

const buildData = join(repositoryRoot, 'packages', 'standalone', 'dist', 'data-main.js');

/** Runs a bash script in which `$DATA` is a data folder and `$BUILD` is the command of `npm run data`. */
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

// In a mount namespace of its own, an ordinary user may mount a disk, where the system allows it.
const mountNamespace = ['--mount', '--map-root-user', 'bash'];
const canMount =
  spawnSync('unshare', [...mountNamespace, '-c', 'mount -t tmpfs -o size=1m tmpfs /mnt'], { stdio: 'ignore' })
    .status === 0;
const testWithDisk = canMount ? test : test.skip;
if (!canMount) process.stderr.write('skipped: tests with a full disk (this user may not mount one)\n');

testWithDisk(
  'npm run data on a full disk names the file, the folder and the free space, and leaves no part of the file',
  async () => {
    await withFolder((folder) => {
      const disk = join(folder, 'disk');
      mkdirSync(disk);
      copyFileSync(join(dataDir, 'corpus.sqlite'), join(folder, 'corpus.sqlite'));
      const { status, stdout, stderr } = runScript(
        `mount -t tmpfs -o size=32m tmpfs "$DATA" && cp ${folder}/corpus.sqlite "$DATA" && { $BUILD; code=$?; ls -A "$DATA"; exit $code; }`,
        disk,
        'unshare',
        mountNamespace,
      );
      expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
        new RegExp(
          `^${disk}/search\\.sqlite cannot be written, because the disk is full: [\\d.]+ MB are free in ${disk} and more is needed\\. Free some space on the disk of that folder, or name a folder on another disk with LECTERN_DATA, then run the command again\\.$`,
        ),
      );
      expect(stdout.trim().split('\n')).toEqual(['.lock', 'corpus.sqlite']);
      expect(status).toBe(1);
    });
  },
);

test.each([
  ['search.sqlite', ['corpus.sqlite'], 10],
  ['spa-rv1909.words', ['corpus.sqlite', 'search.sqlite', 'concordance.sqlite', 'spa-rv1909.vec'], 2],
])(
  'npm run data names the file %s if the limit on file sizes ends its writing, and leaves no part of the file',
  async (file, present, maxMegabytes) => {
    await withFolder((folder) => {
      for (const name of present) linkSync(join(dataDir, name), join(folder, name));
      const { status, stderr } = runScript(`ulimit -f ${maxMegabytes * 1024}; $BUILD`, folder);
      const lastLine = stderr.trimEnd().split('\n').at(-1);
      expect(lastLine).toContain(`${join(folder, file)} cannot be written (`);
      expect(lastLine).toContain('the limit on file sizes (ulimit -f), or name a folder on another disk');
      expect(readdirSync(folder).sort()).toEqual(['.lock', ...present].sort());
      expect(status).toBe(1);
    });
  },
);
