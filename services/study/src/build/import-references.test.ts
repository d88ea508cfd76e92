import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot, withFolder } from '@lectern/testing';
import { writeModule } from '../../../../packages/corpus/test-support/write-module';
import { importSmallTranslation, isolatedEnv } from '../../test-support/small-study-data';
import { openStudyClient, withoutComputed } from '../../test-support/study-client';
import { parseImportCommand } from '../import-command';
import { parseCrossReferences } from './import-references';

const header = 'From Verse\tTo Verse\tVotes\t#www.openbible.info CC-BY 2026-01-01';

describe('reading files of openbible.info', () => {
  test('parseCrossReferences reads verses, verse ranges and votes from a cross-reference file of openbible.info', () => {
    const text = `\ufeff${header}\r\nGen.1.1\tProv.8.22-Prov.8.30\t59\r\n\r\nGen.1.1\tHeb.1.10\t-2\n`;
    expect(parseCrossReferences(text)).toEqual({
      kind: 'parsed',
      references: [
        { verse: 1001001, target: { first: 20008022, last: 20008030 }, votes: 59 },
        { verse: 1001001, target: { first: 58001010, last: 58001010 }, votes: -2 },
      ],
      unresolved: [],
    });
  });

  test('parseCrossReferences leaves out each reference to a nonexistent verse, and reports its line number', () => {
    const lines = [
      ...Array<string>(200).fill('Gen.1.1\tExod.1.1\t5'),
      'Gen.1.99\tExod.1.1\t5',
      'Gen.1.1\t3John.1.15\t5',
    ];
    const parsed = parseCrossReferences(`${header}\n${lines.join('\n')}`);
    expect(parsed.kind === 'parsed' && [parsed.references.length, parsed.unresolved]).toEqual([
      200,
      [
        "line 202: 'Gen.1.99' does not exist in the standard numbering",
        "line 203: '3John.1.15' does not exist in the standard numbering",
      ],
    ]);
  });

  test('parseCrossReferences rejects a file in which more than 1 % of the references name nonexistent verses', () => {
    const lines = [...Array<string>(50).fill('Gen.1.1\tExod.1.1\t5'), 'Gen.1.99\tExod.1.1\t5'];
    expect(parseCrossReferences(lines.join('\n'))).toEqual({
      kind: 'invalid',
      count: 1,
      messages: ["line 51: 'Gen.1.99' does not exist in the standard numbering"],
    });
  });

  test.each([
    ['Gen.1.1', /^line 2: a verse, a verse or a range, and votes must stand here/],
    ['Gen.1.1 Exod.1.1 5', /^line 2: a verse, a verse or a range, and votes must stand here/],
    ['Gen.1.1-Gen.1.2\tExod.1.1\t5', /^line 2: 'Gen.1.1-Gen.1.2' is not a verse/],
    ['Gen.1\tExod.1.1\t5', /^line 2: 'Gen.1' is not a verse/],
    ['Gen.1.1\tTob.1.1\t5', /^line 2: 'Tob.1.1' is not a verse or a range/],
    ['Gen.1.1\tExod.2.1-Exod.1.1\t5', /^line 2: 'Exod.2.1-Exod.1.1' does not exist/],
    ['Gen.1.1\tExod.1.1\tmany', /^line 2: 'many' is not a number of votes/],
    ['Gen.1.1\tExod.1.1\t5\t6', /^line 2: there are more than 3 columns/],
    ['創世記\tExod.1.1\t5', /^line 2: '創世記' is not a verse/],
    [`${'x'.repeat(100)}\tExod.1.1\t5`, /^line 2: 'x{40}…' is not a verse/],
  ])('parseCrossReferences rejects the invalid line %j with its line number and the reason', (line, message) => {
    expect(parseCrossReferences(`${header}\n${line}\nGen.1.1\tExod.1.1\t5\n`)).toEqual({
      kind: 'invalid',
      count: 1,
      messages: [expect.stringMatching(message)],
    });
  });

  test('parseCrossReferences counts all invalid lines, and returns messages only for the first 20', () => {
    const parsed = parseCrossReferences(`${header}\n${'bad\n'.repeat(1_000)}`);
    expect(parsed).toMatchObject({ kind: 'invalid', count: 1_000 });
    expect(parsed.kind === 'invalid' && parsed.messages).toHaveLength(20);
    expect(parsed.kind === 'invalid' && parsed.messages[19]).toMatch(/^line 21:/);
  });

  test.each(['', header, '\n\n'])('parseCrossReferences rejects the file %j, which has no references', (text) => {
    expect(parseCrossReferences(text)).toMatchObject({
      kind: 'invalid',
      messages: ['line 1: the file has no references'],
    });
  });
});

describe('npm run study -- import', () => {
  /** Runs the command with a data folder. The command finds no SWORD modules on this machine. */
  const runImport = (folder: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, [join(repositoryRoot, 'services/study/dist/import-main.js'), 'import', ...args], {
      env: { ...isolatedEnv(folder), SWORD_PATH: join(folder, 'sword'), LECTERN_DATA: folder },
      encoding: 'utf8',
    });
  const describeSource = ['--id', 'votes', '--title', 'Votes', '--licence', 'CC BY, Example'];

  test('the study import command imports cross references from a file, and removes them with --remove', async () => {
    await withFolder(async (folder) => {
      await importSmallTranslation(folder);
      const file = join(folder, 'votes.tsv');
      writeFileSync(file, `${header}\nPs.1.1\tPs.1.2-Ps.1.3\t7\nPs.1.1\tPs.2.1\t0\n`);
      const imported = runImport(folder, file, ...describeSource, '--year', '2026', '--author', 'Readers');
      expect([imported.status, imported.stderr]).toEqual([0, expect.stringContaining('Votes: 2 references imported')]);
      const client = openStudyClient(folder);
      expect(
        withoutComputed(
          await client.verses('crossReferences(first: 50) { reference sources { id title author year licence } }', [
            'eng-small PSA 1:1',
            'eng-small PSA 1:2',
          ]),
        ),
      ).toEqual([
        {
          crossReferences: [
            {
              reference: 'Psalms 1:2-3',
              sources: [{ id: 'votes', title: 'Votes', author: 'Readers', year: 2026, licence: 'CC BY, Example' }],
            },
          ],
        },
        {
          crossReferences: [
            {
              reference: 'Psalms 1:1',
              sources: [{ id: 'votes', title: 'Votes', author: 'Readers', year: 2026, licence: 'CC BY, Example' }],
            },
          ],
        },
      ]);
      await client.close();
      expect(runImport(folder, '--remove', 'votes').status).toBe(0);
      expect(readdirSync(join(folder, 'sources', 'cross-references'))).toEqual([]);
      expect(runImport(folder, '--remove', 'votes')).toMatchObject({
        status: 1,
        stderr: 'import: there is no imported source votes\n',
      });
    });
  });

  test.each(['zCom', 'RawCom'] as const)(
    'the study import command imports the references of a SWORD commentary with the driver %s, such as TSK',
    async (driver) => {
      await withFolder(async (folder) => {
        await importSmallTranslation(folder);
        const conf = writeModule(join(folder, 'tsk'), {
          driver,
          name: 'TSK',
          entries: {
            'PSA 1:1': '<b>Blessed.</b> <scripRef passage="Ps 2:1">Ps 2:1,3</scripRef>;119:1,2; Jer 17:7; Mt 5:3-12',
            'PSA 1:2': 'But his. De 6:6; Jud 5:3; Jude 1:3; Joh 3:16',
          },
        });
        const imported = runImport(folder, conf, ...describeSource);
        expect([imported.status, imported.stderr]).toEqual([
          0,
          expect.stringContaining('Votes: 10 references imported'),
        ]);
        const file = readFileSync(join(folder, 'sources', 'cross-references', 'votes.tsv'), 'utf8');
        expect(file.split('\n')).toEqual([
          'PSA.1.1\tPSA.2.1-PSA.2.1\t1',
          'PSA.1.1\tPSA.2.3-PSA.2.3\t1',
          'PSA.1.1\tPSA.119.1-PSA.119.1\t1',
          'PSA.1.1\tPSA.119.2-PSA.119.2\t1',
          'PSA.1.1\tJER.17.7-JER.17.7\t1',
          'PSA.1.1\tMAT.5.3-MAT.5.12\t1',
          'PSA.1.2\tDEU.6.6-DEU.6.6\t1',
          'PSA.1.2\tJDG.5.3-JDG.5.3\t1',
          'PSA.1.2\tJUD.1.3-JUD.1.3\t1',
          'PSA.1.2\tJHN.3.16-JHN.3.16\t1',
        ]);
      });
    },
  );

  test('the study import command imports nothing from a file with invalid lines, and reports each invalid line', async () => {
    await withFolder(async (folder) => {
      const file = join(folder, 'votes.tsv');
      writeFileSync(file, `${header}\nPs.1.1\tPs.1.2\t7\nPs.1.1\tnowhere\t7\nPs.1.1\tPs.1.3\n`);
      const { status, stderr } = runImport(folder, file, ...describeSource);
      expect([status, stderr.split('\n')]).toEqual([
        1,
        [
          `${file}: 2 bad lines; nothing was imported`,
          "line 3: 'nowhere' is not a verse or a range such as Prov.8.22-Prov.8.30",
          'line 4: a verse, a verse or a range, and votes must stand here, with tabs between',
          '',
        ],
      ]);
      expect(existsSync(join(folder, 'sources'))).toBe(false);
    });
  });
});

describe('arguments of the study import command', () => {
  const source = ['--id', 'votes', '--title', 'Votes', '--licence', 'CC BY'];

  test('parseImportCommand accepts a source of cross references without --author and --year', () => {
    expect(parseImportCommand(['a.tsv', ...source])).toEqual({
      kind: 'import',
      file: 'a.tsv',
      source: { id: 'votes', title: 'Votes', licence: 'CC BY', author: null, year: null, minVotes: 1 },
    });
  });

  const invalidArguments: [string[], RegExp][] = [
    [[], /name one FILE/],
    [['a', 'b', ...source], /name one FILE/],
    [['a', '--id', 'Bad Id', '--title', 'x', '--licence', 'y'], /--id must have 1 to 40 lower-case letters/],
    [['a', '--id', 'naves', '--title', 'x', '--licence', 'y'], /is the identifier of a built-in source/],
    [['a', '--id', 'x', '--title', ' ', '--licence', 'y'], /--title and --licence must not be blank/],
    [['a', '--id', 'x', '--title', 'x'.repeat(501), '--licence', 'y'], /must have at most 500 characters/],
    [['a', ...source, '--year', 'x'], /--year must be a year/],
    [['a', ...source, '--min-votes', '1.5'], /--min-votes must be a whole number/],
    [['a', ...source, '--unknown'], /unknown/],
  ];
  test.each(invalidArguments.map(([args, reason]) => [args.join(' ').slice(0, 60), args, reason] as const))(
    'parseImportCommand rejects the invalid arguments %j with a reason',
    (_, args, reason) => {
      expect(parseImportCommand(args)).toEqual({ kind: 'invalid', reason: expect.stringMatching(reason) });
    },
  );
});
