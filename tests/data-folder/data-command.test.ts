import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { linkData, spawnProcess, withFolder } from '@lectern/testing';

/**
 * Runs the program of `npm run data` with this data folder. Resolves with its exit code and output.
 */
async function runData(folder: string, ...args: string[]): Promise<[code: number | string, output: string]> {
  const { ended, output } = spawnProcess('packages/standalone/dist/data-main.js', { LECTERN_DATA: folder }, args);
  return [await ended, output().trimEnd()];
}

test('npm run data deletes the unfinished files of killed processes, even if all data files are up to date', async () => {
  await withFolder(async (folder) => {
    linkData(folder);
    const unfinished = join(folder, 'translations', 'eng-web', 'text.sqlite.999999999.part');
    writeFileSync(unfinished, 'x');
    expect(await runData(folder)).toEqual([0, `Everything in ${folder} is up to date.`]);
    expect(existsSync(unfinished)).toBe(false);
  });
});

test('npm run data -- --check builds nothing, exits with 1 and names the missing files of texts and semantic search', async () => {
  await withFolder(async (folder) => {
    linkData(folder);
    expect(await runData(folder, '--check')).toEqual([0, `Everything in ${folder} is up to date.`]);
    for (const name of ['search', 'concordance']) rmSync(join(folder, 'translations', 'eng-web', `${name}.sqlite`));
    rmSync(join(folder, 'translations', 'eng-kjv', 'search.sqlite'));
    rmSync(join(folder, 'translations', 'spa-rv1909', 'offline'), { recursive: true });
    rmSync(join(folder, 'translations', 'spa-rv1909', 'verses.vec'));
    rmSync(join(folder, 'phrases.vec'));
    const stale = [
      1,
      'eng-kjv: search must be built\neng-web: search and concordance must be built\nspa-rv1909: offline packages and verses.vec must be built\nphrases.vec must be built',
    ];
    expect(await runData(folder, '--check')).toEqual(stale);
    expect(await runData(folder, '--check')).toEqual(stale);
  });
});

test('npm run data -- --verbose lists the references in topics and commentaries that name no existing verse', async () => {
  await withFolder(async (folder) => {
    linkData(folder);
    const [code, output] = await runData(folder, '--verbose');
    expect([code, output]).toEqual([
      0,
      expect.stringContaining('Scofield Reference Notes: GEN 2:24 has a reference that does not resolve: Mt 19.51\n'),
    ]);
    expect(output).toContain("Nave's Topical Bible: MIRACLES has a reference that does not resolve: Exod.3.29\n");
    expect(output.split('\n').at(-1)).toBe(`Everything in ${folder} is up to date.`);
  });
});

test.each([
  [['--jobs', '0'], "npm run data: --jobs must be a whole number from 1 to 256, not '0'; see npm run data -- --help"],
  [['--nope'], "npm run data: Unknown option '--nope'; see npm run data -- --help"],
])(
  'npm run data with the invalid arguments %j exits with 2, names the invalid argument and says where the help is',
  async (args, message) => {
    await withFolder(async (folder) => {
      const [code, output] = await runData(folder, ...args);
      expect([code, output.split('\n')[0]?.slice(0, message.length)]).toEqual([2, message]);
    });
  },
);

test('corpus import into an empty data folder exits with 0, and says that npm run data builds the rest', async () => {
  await withFolder(async (folder) => {
    // The files that do not depend on the default translations are linked, because building them takes half a minute.
    linkData(folder, (name) => !/^translations.(?:eng|spa)-|text-catalogue|\.vec$/.test(name));
    const file = join(folder, 'eng-own.usfm');
    writeFileSync(file, '\\id MRK\n\\c 1\n\\p\n\\v 1 A lantern was lit.\n');
    const { ended, output } = spawnProcess('packages/standalone/dist/corpus-main.js', { LECTERN_DATA: folder }, [
      'import',
      file,
      '--language',
      'eng',
      '--licence',
      'PD',
    ]);
    expect([await ended, output()]).toEqual([
      0,
      expect.stringMatching(
        /\n\S+ has eng-own[^;]*; the default translations eng-kjv, eng-web, spa-rv1909 and search by meaning are missing: `npm run data` builds them\n$/,
      ),
    ]);
    expect(existsSync(join(folder, 'translations', 'eng-own', 'search.sqlite'))).toBe(true);
  });
});

test('corpus import into an empty data folder downloads nothing', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'eng-own.usfm');
    writeFileSync(file, '\\id MRK\n\\c 1\n\\p\n\\v 1 A lantern was lit.\n');
    const args = ['import', file, '--language', 'eng'];
    const env = { LECTERN_DATA: join(folder, 'data') };
    const { ended, output } = spawnProcess('packages/standalone/dist/corpus-main.js', env, args);
    expect(await ended).toBe(0);
    expect(output()).not.toContain('fetching');
    expect(existsSync(join(folder, 'data', 'sources'))).toBe(false);
  });
});
