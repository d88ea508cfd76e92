import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importFiles } from '@lectern/corpus';
import { writeModule } from '../../../packages/corpus/test-support/write-module';
import { writeDictionary } from '../../../packages/corpus/test-support/write-sword-dictionary';
import { ref, see, topicMarkup } from '../../../packages/reference-works/test-support/topic-markup';
import { buildStudyData } from '../src/index';

/** Imports a translation `eng-small` that has only Psalm 1, with three verses. */
export async function importSmallTranslation(folder: string): Promise<void> {
  const file = join(folder, 'eng-small.usfx');
  writeFileSync(
    file,
    '<?xml version="1.0" encoding="utf-8"?>\n<usfx><languageCode>eng</languageCode><book id="PSA"><h>Psalms</h><c id="1"/><p><v id="1"/>One<ve/><v id="2"/>Two<ve/><v id="3"/>Three<ve/></p></book></usfx>',
  );
  await importFiles([file], { dataDir: folder, log: () => undefined, given: {}, replace: true });
}

/** Writes a topical Bible whose topic names have quotes, percent signs, Greek letters or 240 characters. */
export const writeSmallTopics = (root: string): string =>
  writeDictionary(root, {
    module: 'Nave',
    driver: 'zLD',
    entries: [
      ['100% "SURE"', topicMarkup('100% &quot;SURE&quot;', `→ Word ${ref('Ps.1.1', 'Ps 1:1')}`)],
      [
        'CAFÉ',
        topicMarkup('CAFÉ', `→ Drink ${ref('Ps.1.1', 'Ps 1:1')}; ${ref('Ps.1.3', '1:3')}; ${ref('Gen.1.1', 'Ge 1:1')}`),
      ],
      ['EMPTY', topicMarkup('EMPTY', `→ See ${see('CAFÉ')}`)],
      ['LOST', topicMarkup('LOST', `→ Nowhere ${ref('Exod.3.29', 'Ex 3:29')}`)],
      ['NAME'.repeat(60), topicMarkup('NAME'.repeat(60), `→ Long ${ref('Ps.1.2', 'Ps 1:2')}`)],
      ['ΛΌΓΟΣ', topicMarkup('ΛΌΓΟΣ', `→ Word ${ref('Ps.1', 'Ps 1')}`)],
    ],
  });

/** Writes a Scofield commentary of one note on Psalm 1:1, which cites two verses. */
export const writeSmallNotes = (root: string): string =>
  writeModule(root, {
    name: 'Scofield',
    driver: 'zCom',
    entries: {
      'PSA 1:1':
        '<hi type="bold">Blessed</hi> See <reference osisRef="ps 1:3">Psalm 1:3</reference> and <reference osisRef="ge 1:1">Genesis 1:1</reference>.',
    },
  });

/**
 * Returns an environment in which a build finds neither the SWORD modules of the user nor programs that fetch modules.
 */
export const isolatedEnv = (folder: string): NodeJS.ProcessEnv => ({ HOME: folder, PATH: folder });

/** Builds the study files of a data folder from the modules in its folder `sword`. */
export async function buildSmallStudy(folder: string): Promise<{ isBuilt: boolean; lines: string[] }> {
  const lines: string[] = [];
  const isBuilt = await buildStudyData({
    dataDir: folder,
    env: { ...isolatedEnv(folder), SWORD_PATH: join(folder, 'sword') },
    swordRoots: [],
    log: (line) => lines.push(line),
    now: () => new Date('2026-03-01T12:00:00Z'),
  });
  return { isBuilt, lines };
}
