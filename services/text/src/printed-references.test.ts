import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatPlace, type Place } from '@lectern/canon';
import { importFiles, openCorpus } from '@lectern/corpus';
import { dataDir, itemsOfThisRun } from '@lectern/testing';
import { createPassageReader } from './passages';
import { createTextStore } from './store';

const folder = mkdtempSync(join(tmpdir(), 'lectern-references-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Own names of books by language. Some are long, in scripts that no parser knows, or mean another book elsewhere. */
const ownNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  chr: {
    MAT: 'ᎹᏚ',
    MRK: 'ᎹᎦ',
    LUK: 'ᎷᎦ',
    JHN: 'ᏣᏂ',
    ACT: 'ᎨᏥᏅᏏᏛ ᏄᎾᏛᏁᎵᏙᎸᎢ',
    ROM: 'ᎶᎻ ᎠᏁᎯ',
    '1CO': 'ᎪᎵᏂᏗᏱ ᎠᏁᎯ 1',
    '2CO': 'ᎪᎵᏂᏗᏱ ᎠᏁᎯ 2',
    TIT: 'ᏔᏓᏏ',
    '1JN': '1 ᏣᏂ',
    REV: 'ᏣᏂ ᏗᏛᎪᎲᎢ',
  },
  zho: {
    '1SA': '撒母耳記上',
    '1KI': '列王紀略上',
    PSA: '詩篇',
    PHP: '腓利比書',
    JHN: '約翰傳福音書',
    '1JN': '約翰一書',
    '3JN': '約翰三書',
  },
  rus: {
    '1SA': '1-я Царств',
    '2SA': '2-я Царств',
    '1KI': '3-я Царств',
    '2KI': '4-я Царств',
    SNG: 'Песнь Песней',
    PSA: 'Псалтирь',
    JHN: 'Евангелие от Иоанна',
    '1JN': '1-е послание Иоанна',
    JUD: 'Послание Иуды',
  },
  lat: {
    '1SA': 'I Regum',
    '2SA': 'II Regum',
    '1KI': 'III Regum',
    '2KI': 'IV Regum',
    PSA: 'Liber Psalmorum',
    '1CO': 'I ad Corinthios',
    COL: 'Ad Colossenses',
    '1JN': 'I Ioannis',
    JHN: 'Evangelium secundum Ioannem (vulgo Ioannes)',
  },
};

async function importOwnNames(): Promise<void> {
  for (const [language, names] of Object.entries(ownNames)) {
    const source = join(folder, language);
    mkdirSync(source);
    for (const [code, name] of Object.entries(names))
      writeFileSync(
        join(source, `${code}.usfm`),
        `\\id ${code}\n\\h ${name}\n\\c 1\n\\p\n\\v 1 one\n\\v 2 two\n\\c 2\n\\p\n\\v 1 three`,
      );
    const given = { identifier: `${language}-own`, language };
    await importFiles([source], { dataDir: folder, log: () => undefined, given, replace: false });
  }
}

/** Returns each verse whose reference is not read as that verse alone. Checks every `runs`-th verse. */
function unreadReferences(corpusDir: string, identifiers: readonly string[], runs: number): string[] {
  const corpus = openCorpus(corpusDir);
  const store = createTextStore(corpus);
  const { parsePassage } = createPassageReader(store);
  const unread: string[] = [];
  for (const translation of identifiers.map(store.translation)) {
    const places = translation.books.flatMap(({ code: book, chapters }) =>
      chapters.flatMap((verses, index) => verses.map((verse): Place => ({ book, chapter: index + 1, verse }))),
    );
    for (const place of itemsOfThisRun(places, runs)) {
      const printed = `${store.shape(translation).bookName(place.book)} ${place.chapter}:${place.verse}`;
      const read = parsePassage(translation, printed);
      if (read.reference !== printed || read.places.map(formatPlace).join() !== formatPlace(place))
        unread.push(`${translation.identifier}: ${printed} is read as ${read.reference}`);
    }
  }
  corpus.close();
  return unread;
}

test('passage reads the reference of each verse of the default translations as this verse', () => {
  expect(unreadReferences(dataDir, ['eng-kjv', 'eng-web', 'spa-rv1909'], 10)).toEqual([]);
});

test('passage reads the reference of each verse of translations with own names in Cherokee, Chinese, Russian and Latin', async () => {
  await importOwnNames();
  const identifiers = Object.keys(ownNames).map((language) => `${language}-own`);
  expect(unreadReferences(folder, identifiers, 1)).toEqual([]);
});
