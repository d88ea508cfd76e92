import { bookByCode, verseOrdinal } from '@lectern/canon';
import { openCorpus } from '@lectern/corpus';
import { dataDir, useStarted } from '@lectern/testing';
import Database from 'better-sqlite3';
import { describeWithTexts, openRealOriginalsClient } from '../test-support/originals-client';
import { originalsFile } from './index';

interface Original {
  original: {
    reference: string;
    isPartial: boolean;
    unpointed: string;
    words: {
      id: string;
      surface: string;
      plain: string;
      unpointed: string;
      before: string;
      after: string;
      qere: string | null;
      language: string;
    }[];
  }[];
}

describeWithTexts('Verse.original', () => {
  const client = useStarted(openRealOriginalsClient);
  const originals = async (selection: string, places: readonly string[]) =>
    (await client.verses<Original>(`original { ${selection} }`, places)).map((verse) => verse?.original ?? []);

  test.each([
    ['a verse with the same number in Hebrew', 'eng-web GEN 1:1', ['Genesis 1:1']],
    ['Joel 2:28, which is 3:1 in Hebrew', 'eng-web JOL 2:28', ['Joel 3:1']],
    ['Malachi 4:1, which is 3:19 in Hebrew', 'eng-kjv MAL 4:1', ['Malachi 3:19']],
    ['a Psalm with its title', 'eng-kjv PSA 51:1', ['Psalms 51:1', 'Psalms 51:2', 'Psalms 51:3']],
    ['a Psalm whose title is a part of its first verse', 'eng-kjv PSA 23:1', ['Psalms 23:1']],
    ['a verse in the numbering of the Reina-Valera', 'spa-rv1909 JON 2:1', ['Jonah 2:1']],
    ['a Reina-Valera verse that combines two verses', 'spa-rv1909 NUM 13:33', ['Numbers 13:32', 'Numbers 13:33']],
    [
      'a verse that extends into a second Hebrew verse',
      'eng-kjv 1KI 22:43',
      ['1 Kings 22:43', '1 Kings 22:44 (partial)'],
    ],
    ['3 John 14, which has two Greek verses', 'eng-kjv 3JN 1:14', ['3 John 1:14', '3 John 1:15']],
    ['2 Corinthians 13:14, which is 13:13 in Greek', 'eng-kjv 2CO 13:14', ['2 Corinthians 13:13']],
    ['Philippians 1:16, which is 1:17 in Greek', 'eng-kjv PHP 1:16', ['Philippians 1:17']],
    ['Revelation 13:1, which begins at 12:18 in Greek', 'eng-kjv REV 13:1', ['Revelation 12:18', 'Revelation 13:1']],
    ['Acts 8:37, which the Greek text lacks', 'eng-kjv ACT 8:37', []],
    ['Nehemiah 7:68, which the Hebrew text lacks', 'eng-kjv NEH 7:68', []],
  ])('the field Verse.original returns the original verses of %s', async (_, place, expected) => {
    const [verses] = await originals('reference isPartial', [place]);
    expect(verses?.map(({ reference, isPartial }) => `${reference}${isPartial ? ' (partial)' : ''}`)).toEqual(expected);
  });

  test('OriginalVerse.unpointed is the text of the verse without points, accents and breathings, with its punctuation', async () => {
    const [[genesis] = []] = await originals('unpointed', ['eng-kjv GEN 1:5']);
    const [[john] = []] = await originals('unpointed', ['eng-kjv JHN 1:1']);
    expect([genesis?.unpointed, john?.unpointed]).toEqual([
      'ויקרא אלהים ׀ לאור יום ולחשך קרא לילה ויהי־ערב ויהי־בקר יום אחד׃ פ',
      'Εν αρχη ην ο λογος, και ο λογος ην προς τον θεον, και θεος ην ο λογος.',
    ]);
  });

  test('the gloss of a word and of its segments is Spanish for the language spa, and English for other languages', async () => {
    const fields =
      'words { english: gloss other: gloss(language: "fra") gloss(language: "spa") segments { gloss(language: "spa") } }';
    const [[verse] = []] = await originals(fields, ['eng-web GEN 1:2']);
    expect(verse?.words[0]).toEqual({
      english: 'land, earth',
      other: 'land, earth',
      gloss: 'tierra',
      segments: [{ gloss: 'y' }, { gloss: 'el, la' }, { gloss: 'tierra' }],
    });
  });

  test('the Spanish gloss of a lemma that is not among the most frequent ones is null', async () => {
    const [[verse] = []] = await originals('words { lemma gloss(language: "spa") }', ['eng-web MAT 6:11']);
    expect(verse?.words).toContainEqual({ lemma: 'ἄρτος', gloss: 'pan' });
    expect(verse?.words).toContainEqual({ lemma: 'ἐπιούσιος', gloss: null });
  });

  test('the field Verse.original returns only verses of the requested original text, and none for an unknown text', async () => {
    for (const [text, count] of [
      ['hbo-wlc', 1],
      ['grc-sblgnt', 0],
      ['x'.repeat(1_000), 0],
      ['', 0],
    ] as const) {
      const [verse] = await client.verses<Original>(`original(text: "${text}") { reference }`, ['eng-web GEN 1:1']);
      expect([text, verse?.original.length]).toEqual([text, count]);
    }
  });

  test('every King James verse has an original verse, except 30 that the Greek text lacks and one that the Hebrew lacks', () => {
    const corpus = openCorpus(dataDir, { only: ['eng-kjv'] });
    const verses = [...corpus.eachVerse('eng-kjv')];
    corpus.close();
    const db = new Database(originalsFile(dataDir), { readonly: true });
    const rendered = new Set(db.prepare<[], number>('SELECT DISTINCT standard FROM rendering').pluck().all());
    db.close();
    const missing = verses.filter((verse) => !rendered.has(verseOrdinal(verse)));
    expect([rendered.size + missing.length, missing.length]).toEqual([verses.length, 31]);
    expect(missing.filter(({ book }) => bookByCode(book).position < 40)).toMatchObject([
      { book: 'NEH', chapter: 7, verse: 68 },
    ]);
  });

  test('the words of Verse.original and the punctuation between them add up to the text of the verse', async () => {
    const [hebrew, greek] = await originals('words { before surface plain unpointed after }', [
      'eng-web GEN 1:5',
      'eng-web JHN 1:38',
    ]);
    const textOf = (verses: typeof hebrew) =>
      verses?.[0]?.words.map(({ before, surface, after }) => before + surface + after).join('');
    expect(textOf(hebrew)).toBe('וַיִּקְרָ֨א אֱלֹהִ֤ים ׀ לָאוֹר֙ י֔וֹם וְלַחֹ֖שֶׁךְ קָ֣רָא לָ֑יְלָה וַֽיְהִי־עֶ֥רֶב וַֽיְהִי־בֹ֖קֶר י֥וֹם אֶחָֽד׃ פ');
    expect(textOf(greek)).toMatch(/^στραφεὶς δὲ ὁ Ἰησοῦς .* Τί ζητεῖτε; οἱ δὲ εἶπαν αὐτῷ· Ῥαββί \(ὃ λέγεται/);
    expect(hebrew?.[0]?.words[0]).toMatchObject({ plain: 'וַיִּקְרָא', unpointed: 'ויקרא' });
  });

  test('the field qere of a Hebrew word is its marginal reading, and is an empty text for a word that is not to be read aloud', async () => {
    const [variant, unread, margin] = await originals('words { surface qere }', [
      'eng-web 2SA 1:8',
      'eng-web RUT 3:12',
      'eng-web RUT 3:5',
    ]);
    const qereOf = (verses: typeof variant) =>
      verses?.[0]?.words.filter(({ qere }) => qere !== null).map(({ surface, qere }) => [surface, qere]);
    expect(qereOf(variant)).toEqual([['ויאמר', 'וָאֹמַ֣ר']]);
    expect(qereOf(unread)).toEqual([['אם', '']]);
    expect(qereOf(margin)).toEqual([['תֹּאמְרִ֥י', 'תֹּאמְרִ֥י אֵלַ֖י']]);
  });

  test('in a verse with both languages, the field language is arc for Aramaic words and hbo for Hebrew words', async () => {
    const [verse] = await originals('words { surface language }', ['eng-web DAN 2:4']);
    const languages = verse?.[0]?.words.map(({ language }) => language) ?? [];
    expect([languages[0], languages[3], languages[4], languages.at(-1)]).toEqual(['hbo', 'hbo', 'arc', 'arc']);
  });

  test("the segments of an original word add up to the word, and the main one has its lemma and Strong's number", async () => {
    const [verse] = await client.verses<{
      original: {
        words: {
          surface: string;
          strongsNumber: string;
          segments: {
            surface: string;
            lemma: string | null;
            strongsNumber: string | null;
            parsing: { description: string };
          }[];
        }[];
      }[];
    }>(
      'original { words { surface strongsNumber segments { surface lemma strongsNumber parsing { description } } } }',
      ['eng-web GEN 1:12'],
    );
    const words = verse?.original[0]?.words ?? [];
    for (const { surface, segments } of words) expect(segments.map((each) => each.surface).join('')).toBe(surface);
    expect(words.find(({ surface }) => surface === 'לְמִינֵ֔הוּ')).toEqual({
      surface: 'לְמִינֵ֔הוּ',
      strongsNumber: 'H4327',
      segments: [
        { surface: 'לְ', lemma: 'לְ', strongsNumber: null, parsing: { description: 'preposition' } },
        {
          surface: 'מִינֵ֔',
          lemma: 'מִין',
          strongsNumber: 'H4327',
          parsing: { description: 'common noun, masculine singular construct' },
        },
        {
          surface: 'הוּ',
          lemma: null,
          strongsNumber: null,
          parsing: { description: 'pronominal suffix, 3rd person masculine singular' },
        },
      ],
    });
  });

  test("an original word such as לוֹ (preposition with suffix) has the preposition as its lemma, and no Strong's number", async () => {
    const [verse] = await client.verses<{
      original: { words: { surface: string; lemma: string; strongsNumber: string | null }[] }[];
    }>('original { words { surface lemma strongsNumber } }', ['eng-web GEN 2:18']);
    expect(verse?.original[0]?.words.find(({ surface }) => surface === 'לּ֥וֹ')).toEqual({
      surface: 'לּ֥וֹ',
      lemma: 'לְ',
      strongsNumber: null,
    });
  });

  test('_entities of the originals subgraph returns an OriginalWord by its id, and null for an id that names no word', async () => {
    const [verse] = await originals('words { id surface }', ['eng-web JHN 21:15']);
    const word = verse?.[0]?.words[3];
    const ids = [
      word?.id ?? '',
      'x',
      Buffer.from('v1:grc-sblgnt.JHN.21.15.99').toString('base64url'),
      Buffer.from('v1:grc-sblgnt.JHN.22.1.1').toString('base64url'),
      '',
    ];
    const { words } = await client.data<{ words: ({ surface: string } | null)[] }>(
      'query ($list: [_Any!]!) { words: _entities(representations: $list) { ... on OriginalWord { surface } } }',
      { list: ids.map((id) => ({ __typename: 'OriginalWord', id })) },
    );
    expect(words).toEqual([{ surface: word?.surface }, null, null, null, null]);
  });

  test('OriginalVerse.verses returns the verse in the numbering of the translation, and fails for an unknown translation', async () => {
    const query = (translation: string) =>
      `{ searchOriginals(words: [{ form: "וַיְמַ֤ן" }], books: "Jonah", first: 1) { edges { node { reference verses(translation: "${translation}") { id } } } } }`;
    const { searchOriginals } = await client.data<{
      searchOriginals: { edges: { node: { verses: { id: string }[] } }[] };
    }>(query('eng-web'));
    const [id] = searchOriginals.edges[0]?.node.verses ?? [];
    expect(Buffer.from(id?.id ?? '', 'base64url').toString()).toBe('v1:eng-web.JON.1.17');
    expect(await client.error(query('eng-none'))).toEqual(["Translation 'eng-none' not found", 'NOT_FOUND']);
  });

  test('when the original words of 100 verses are requested again, the originals subgraph returns them without an SQL statement', async () => {
    const read = () =>
      originals(
        'words { surface lemma parsing { code } }',
        Array.from({ length: 100 }, (_, index) => `eng-web PSA 119:${index + 1}`),
      );
    const first = await read();
    client.statements.length = 0;
    expect(await read()).toEqual(first);
    expect(client.statements).toEqual([]);
  });

  test('the originals subgraph rejects a request whose words have more than 150,000 field values together', async () => {
    const id = Buffer.from('v1:eng-web.EST.8.9').toString('base64url');
    const list = Array.from({ length: 700 }, () => ({ __typename: 'Verse', id }));
    const [message, code] = await client.error(
      'query ($list: [_Any!]!) { _entities(representations: $list) { ... on Verse { original { words { surface plain lemma gloss segments { surface } } } } } }',
      { list },
    );
    expect([message, code]).toEqual([expect.stringMatching(/150,?000/), expect.any(String)]);
  });
});
