import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOriginalSources } from '@lectern/corpus';
import { createRandom, dataDir, testSeed, useStarted } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';

const morphgnt = findOriginalSources({ dataDir, env: process.env }).get('morphgnt');
const isInstalled = existsSync(join(dataDir, 'translations', 'grc-sblgnt', 'text.sqlite'));
const describeWithTexts = morphgnt !== undefined && isInstalled ? describe : describe.skip;

describeWithTexts('the translations hbo-wlc and grc-sblgnt', () => {
  const lectern = useStarted(() => startEmbeddedLectern());
  async function data<Result>(query: string): Promise<Result> {
    const response = await lectern.client(query);
    expect(response.errors).toBeUndefined();
    return response.data as Result;
  }
  const verse = (book: string, place: string, translation: string, fields: string): string => {
    const [chapter, number] = place.split(':');
    return `verse(book: "${book}", chapter: ${chapter}, verse: ${number}, translation: "${translation}") { ${fields} }`;
  };

  test('the text of hbo-wlc has one space where the source has the letter of a section inside a verse', async () => {
    const { verse: found } = await data<{ verse: { text: string } }>(`{ ${verse('GEN', '35:22', 'hbo-wlc', 'text')} }`);
    expect(found.text).toMatch(/\S \S/);
    expect(found.text).not.toMatch(/\s{2}| \u05e4(\s|$)/);
  });

  test('the Hebrew and Greek Bibles hbo-wlc and grc-sblgnt have the right metadata, and only hbo-wlc has offline packages', async () => {
    const fields =
      'language direction complete verseCount hasStrongsTagging hasStemming offlineDownloadable features licence { code }';
    expect(
      await data(
        `{ hebrew: translation(identifier: "hbo-wlc") { ${fields} } greek: translation(identifier: "grc-sblgnt") { ${fields} } }`,
      ),
    ).toEqual({
      hebrew: {
        language: 'hbo',
        direction: 'RTL',
        complete: false,
        verseCount: 23_213,
        hasStrongsTagging: true,
        hasStemming: true,
        offlineDownloadable: true,
        features: ['PARAGRAPHS', 'NOTES', 'STRONGS', 'LEMMAS'],
        licence: { code: 'CC-BY-4.0' },
      },
      greek: {
        language: 'grc',
        direction: 'LTR',
        complete: false,
        verseCount: 7_927,
        hasStrongsTagging: true,
        hasStemming: true,
        offlineDownloadable: false,
        features: ['STRONGS', 'LEMMAS'],
        licence: { code: 'LicenseRef-SBLGNT' },
      },
    });
  });

  test.each([
    ['JOL', '2:28', 'hbo-wlc', 'Joel 3:1'],
    ['MAL', '4:1', 'hbo-wlc', 'Malachi 3:19'],
    ['PSA', '51:1', 'hbo-wlc', 'Psalms 51:3'],
    ['JHN', '3:16', 'hbo-wlc', null],
    ['GEN', '1:1', 'grc-sblgnt', null],
    ['ACT', '8:37', 'grc-sblgnt', null],
    ['ROM', '16:25', 'grc-sblgnt', null],
    ['2CO', '13:14', 'grc-sblgnt', '2 Corinthians 13:13'],
    ['3JN', '1:14', 'grc-sblgnt', '3 John 1:14'],
    ['REV', '13:1', 'grc-sblgnt', 'Revelation 13:1'],
  ])(
    'for the King James verse %s %s, the field Verse.inTranslation with the identifier %s returns %s',
    async (book, place, identifier, expected) => {
      const found = await data<{ verse: { inTranslation: { reference: string } | null } }>(
        `{ ${verse(book, place, 'eng-kjv', `inTranslation(identifier: "${identifier}") { reference }`)} }`,
      );
      expect(found.verse.inTranslation?.reference ?? null).toBe(expected);
    },
  );

  test.each([
    ['3JN', '1:15', 'grc-sblgnt', '3 John 1:14'],
    ['REV', '12:18', 'grc-sblgnt', 'Revelation 13:1'],
    ['PSA', '51:3', 'hbo-wlc', 'Psalms 51:1'],
    ['JOL', '4:1', 'hbo-wlc', 'Joel 3:1'],
  ])(
    'the field Verse.inTranslation maps the verse %s %s of %s to %s in the King James Version',
    async (book, place, identifier, expected) => {
      const found = await data(
        `{ ${verse(book, place, identifier, 'inTranslation(identifier: "eng-kjv") { reference }')} }`,
      );
      expect(found).toEqual({ verse: { inTranslation: { reference: expected } } });
    },
  );

  test.each([
    ['ACT', '8:37', 'grc-sblgnt'],
    ['ROM', '16:25', 'grc-sblgnt'],
    ['NEH', '7:73', 'hbo-wlc'],
    ['MAT', '1:1', 'hbo-wlc'],
  ])(
    'the query for the verse %s %s in %s, which this translation lacks, returns NOT_FOUND',
    async (book, place, identifier) => {
      const { errors } = await lectern.client(`{ ${verse(book, place, identifier, 'text')} }`);
      expect(errors).toMatchObject([
        { message: `Verse '${book} ${place}' not found`, extensions: { code: 'NOT_FOUND' } },
      ]);
    },
  );

  test('the field Verse.original of a verse in hbo-wlc or grc-sblgnt returns the words of this verse itself', async () => {
    const fields =
      'original { reference words { surface } } words { text strongs { number } originalWords { surface } }';
    for (const [book, place, identifier, reference] of [
      ['PSA', '51:3', 'hbo-wlc', 'Psalms 51:3'],
      ['DAN', '2:20', 'hbo-wlc', 'Daniel 2:20'],
      ['1CH', '15:13', 'hbo-wlc', '1 Chronicles 15:13'],
      ['JHN', '1:1', 'grc-sblgnt', 'John 1:1'],
    ] as const) {
      const found = await data<{
        verse: {
          original: { reference: string; words: { surface: string }[] }[];
          words: { text: string; originalWords: { surface: string }[] }[];
        };
      }>(`{ ${verse(book, place, identifier, fields)} }`);
      const { original, words } = found.verse;
      expect(original.map((each) => each.reference)).toEqual([reference]);
      expect(words.map(({ text }) => text)).toEqual(original[0]?.words.map(({ surface }) => surface));
      expect(words.map(({ originalWords }) => originalWords.map(({ surface }) => surface))).toEqual(
        words.map(({ text }) => [text]),
      );
    }
  });

  test('the concordance of the Greek New Testament grc-sblgnt counts 20 random lemmas as often as the source files contain them', async () => {
    const lines = readdirSync(morphgnt ?? '').flatMap((name) =>
      readFileSync(join(morphgnt ?? '', name), 'utf8')
        .trim()
        .split('\n'),
    );
    const counts = new Map<string, number>();
    for (const line of lines) {
      const lemma = line.split(' ')[6] ?? '';
      counts.set(lemma, (counts.get(lemma) ?? 0) + 1);
    }
    const random = createRandom(testSeed());
    const all = [...counts].filter(([lemma]) => !lemma.includes('('));
    const drawn = Array.from({ length: 20 }, () => all[Math.floor(random() * all.length)] as [string, number]);
    const found = await data<Record<string, { entry: { lemma: string; totalOccurrences: number } }>>(
      `{ ${drawn.map(([lemma], index) => `l${index}: concordance(translation: "grc-sblgnt", word: "${lemma}", first: 1) { entry { lemma totalOccurrences } }`).join(' ')} }`,
    );
    expect(Object.values(found).map(({ entry }) => [entry.lemma, entry.totalOccurrences])).toEqual(drawn);
  });

  test('searchVerses finds Hebrew words of hbo-wlc with or without vowel points, and Greek words of grc-sblgnt by their lemma', async () => {
    const count = (query: string, translation: string) =>
      `searchVerses(query: "${query}", translation: "${translation}", first: 1) { totalCount }`;
    const found = await data<Record<string, { totalCount: number }>>(
      `{ pointed: ${count('בְּרֵאשִׁ֖ית', 'hbo-wlc')} unpointed: ${count('בראשית', 'hbo-wlc')} aramaic: ${count('מלכא', 'hbo-wlc')}
        form: ${count('λόγῳ', 'grc-sblgnt')} lemma: ${count('λογος', 'grc-sblgnt')} }`,
    );
    const { pointed, unpointed, aramaic, form, lemma } = Object.fromEntries(
      Object.entries(found).map(([name, { totalCount }]) => [name, totalCount]),
    );
    expect([pointed, unpointed]).toEqual([5, 5]);
    expect(aramaic).toBeGreaterThan(100);
    expect(lemma).toBeGreaterThan(form ?? 0);
  });

  test('even with the translations hbo-wlc and grc-sblgnt installed, randomVerse and verseOfTheDay use eng-web by default', async () => {
    const found = await data<{ randomVerse: { id: string }; verseOfTheDay: { translationId: string } }>(
      '{ randomVerse { id } verseOfTheDay { translationId } semanticSearch(query: "light", translation: "hbo-wlc") { similarity } }',
    );
    expect(Buffer.from(found.randomVerse.id, 'base64url').toString()).toMatch(/^v1:eng-web\./);
    expect(found).toMatchObject({ verseOfTheDay: { translationId: 'eng-web' }, semanticSearch: [] });
  });
});
