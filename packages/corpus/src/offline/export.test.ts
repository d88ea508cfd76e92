import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder } from '@lectern/testing';
import { writeSmallBible } from '../../test-support/write-usfx';
import { runCorpusCommand } from '../command';
import { importFiles } from '../import';
import type { OfflinePackage } from './package-list';

const importSmall = (builtDir: string, name: string, licence: string) =>
  importFiles([writeSmallBible(builtDir, name)], {
    dataDir: builtDir,
    log: () => undefined,
    given: { licence },
    replace: false,
  });

describe('corpus export', () => {
  let out: string;
  let err: string;
  const run = (...argv: string[]) => {
    out = '';
    err = '';
    return runCorpusCommand(['export', ...argv], {
      env: { OFFLINE_BASE_URL: 'https://cdn.example/lectern/' },
      stdout: { write: (text) => (out += String(text)) !== '' },
      stderr: { write: (text) => (err += String(text)) !== '' },
    });
  };

  test('corpus export copies the packages that the target folder lacks, and lists all packages in index.json', async () => {
    await withFolder(async (builtDir) => {
      const target = join(builtDir, 'bucket');
      await importSmall(builtDir, 'deu-own.usfx', 'CC-BY-4.0');
      await importSmall(builtDir, 'deu-nd.usfx', 'CC-BY-ND-4.0');
      expect(await run(target, '--data', builtDir)).toBe(0);
      expect(out).toBe(`2 offline packages are in ${target}\n`);
      expect(err).toContain('deu-own: 2 packages copied, 0 were there\n');
      const index = JSON.parse(readFileSync(join(target, 'offline', 'index.json'), 'utf8')) as {
        translations: { identifier: string; packages: (OfflinePackage & { url: string })[] }[];
      };
      expect(index).toMatchObject({
        formatVersion: 1,
        translations: [{ identifier: 'deu-own', language: 'deu', licence: { code: 'CC-BY-4.0' } }],
      });
      const packages = index.translations[0]?.packages ?? [];
      expect(packages.map(({ schemaVersion }) => schemaVersion)).toEqual([1, 2]);
      for (const { url, sha256 } of packages) {
        const file = join(target, url.replace('https://cdn.example/lectern', ''));
        expect(createHash('sha256').update(readFileSync(file)).digest('hex')).toBe(sha256);
        // An export that was killed leaves a truncated file, but only under a name with .part. The
        // next export replaces this file.
        rmSync(file);
        writeFileSync(`${file}.part`, 'cut off');
        expect(await run(target, '--data', builtDir)).toBe(0);
        expect(err).toBe('deu-own: 1 packages copied, 1 were there\n');
        expect(existsSync(`${file}.part`)).toBe(false);
      }
      expect(await run(target, '--data', builtDir, '--json')).toBe(0);
      expect(JSON.parse(out)).toEqual({ folder: target, packages: 2 });
    });
  });

  test('corpus export prints one line and exits with 1 if the target is a file', async () => {
    await withFolder(async (builtDir) => {
      await importSmall(builtDir, 'deu-own.usfx', 'PD');
      const target = join(builtDir, 'file');
      writeFileSync(target, '');
      expect(await run(target, '--data', builtDir)).toBe(1);
      expect(err).toMatch(/\ncorpus export: [^\n]*ENOTDIR[^\n]*\n$/);
    });
  });
});
