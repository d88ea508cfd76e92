import { type BookCode, verseId } from '@lectern/canon';
import { useStarted } from '@lectern/testing';
import { openRealStudyClient } from '../test-support/study-client';

const client = useStarted(openRealStudyClient);

interface VerseTopics {
  topics: { topic: { name: string; verseCount: number }; section: string | null; entry: string | null }[];
}
interface CrossReferences {
  crossReferences: { reference: string; verses: { id: string }[]; sources: { id: string }[] }[];
}
interface Notes {
  commentary: { commentary: { id: string }; reference: string; heading: string | null; text: string }[];
}

const quotations =
  'MAT 1:23 = ISA 7:14, MAT 2:6 = MIC 5:2, MAT 2:15 = HOS 11:1, MAT 2:18 = JER 31:15, MAT 3:3 = ISA 40:3, MAT 4:4 = DEU 8:3, ' +
  'MAT 4:6 = PSA 91:11, MAT 4:7 = DEU 6:16, MAT 4:10 = DEU 6:13, MAT 9:13 = HOS 6:6, MAT 8:17 = ISA 53:4, MAT 13:14 = ISA 6:9, ' +
  'MAT 21:5 = ZEC 9:9, MAT 21:13 = ISA 56:7, MAT 21:42 = PSA 118:22, MAT 22:37 = DEU 6:5, MAT 22:39 = LEV 19:18, ' +
  'MAT 22:44 = PSA 110:1, MAT 26:31 = ZEC 13:7, MAT 27:46 = PSA 22:1, LUK 4:18 = ISA 61:1, LUK 23:46 = PSA 31:5, ' +
  'JHN 2:17 = PSA 69:9, JHN 12:38 = ISA 53:1, JHN 13:18 = PSA 41:9, JHN 19:24 = PSA 22:18, JHN 19:37 = ZEC 12:10, ' +
  'ACT 2:17 = JOL 2:28, ACT 2:27 = PSA 16:10, ACT 8:32 = ISA 53:7, ACT 13:33 = PSA 2:7, ROM 1:17 = HAB 2:4, ' +
  'ROM 3:10 = PSA 14:1, ROM 4:3 = GEN 15:6, ROM 9:25 = HOS 2:23, ROM 10:13 = JOL 2:32, ROM 10:15 = ISA 52:7, ' +
  '1CO 15:54 = ISA 25:8, GAL 3:13 = DEU 21:23, HEB 1:5 = 2SA 7:14, HEB 8:8 = JER 31:31, 1PE 1:24 = ISA 40:6';

describe('topics of a verse', () => {
  test('the field Verse.topics sorts topics by their number of verses, fewest first', async () => {
    const [verse] = await client.verses<VerseTopics>('topics { topic { name verseCount } section entry }', [
      'eng-web JHN 3:16',
    ]);
    expect(verse?.topics[0]).toEqual({
      topic: { name: 'GIFTS FROM GOD', verseCount: 96 },
      section: 'SPIRITUAL',
      entry: 'Christ, the Saviour',
    });
    const counts = verse?.topics.map(({ topic }) => topic.verseCount) ?? [];
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
  });

  test('the field Verse.topics of each verse of the topic ABEL-MEHOLAH contains this topic exactly once', async () => {
    const { topic } = await client.data<{
      topic: {
        sections: {
          entries: { references: { verses: { id: string; topics: { topic: { name: string } }[] }[] }[] }[];
        }[];
      };
    }>(
      '{ topic(name: "ABEL-MEHOLAH") { sections { entries { references { verses(first: 50) { id topics(first: 100) { topic { name } } } } } } } }',
    );
    const verses = topic.sections.flatMap(({ entries }) =>
      entries.flatMap(({ references }) => references.flatMap((each) => each.verses)),
    );
    expect(verses.length).toBeGreaterThan(2);
    for (const { topics } of verses) {
      const names = topics.map((each) => each.topic.name);
      expect(names).toContain('ABEL-MEHOLAH');
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test('the field Verse.topics is empty for a verse that no topic names', async () => {
    expect(await client.verses('topics { section }', ['eng-web LEV 17:1'])).toEqual([{ topics: [] }]);
  });
});

describe('cross references of a verse', () => {
  test('the field Verse.crossReferences returns the strongest cross reference first', async () => {
    const [verse] = await client.verses<CrossReferences>(
      'crossReferences(first: 100) { reference sources { id title } }',
      ['eng-web MAT 1:23'],
    );
    expect(verse?.crossReferences[0]).toMatchObject({ reference: 'Isaiah 7:14' });
    expect(verse?.crossReferences[0]?.sources.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['computed', 'naves', 'web-notes']),
    );
  });

  test('the field Verse.crossReferences links famous quotations in the New Testament with the quoted verses, in both directions', async () => {
    const pairs = quotations.split(', ').map((each) => each.split(' = '));
    const linked = async (from: string, to: string): Promise<boolean> => {
      const [verse] = await client.verses<CrossReferences>('crossReferences(first: 100) { verses(first: 50) { id } }', [
        `eng-web ${from}`,
      ]);
      const ids = verse?.crossReferences.flatMap(({ verses }) => verses.map(({ id }) => id));
      const [book = '', chapter, verseNumber] = to.split(/[ :]/);
      const id = verseId({
        translation: 'eng-web',
        book: book as BookCode,
        chapter: Number(chapter),
        verse: Number(verseNumber),
      });
      return ids?.includes(id) ?? false;
    };
    const missing: string[] = [];
    for (const [quoting = '', quoted = ''] of pairs) {
      if (!(await linked(quoting, quoted))) missing.push(`${quoting} to ${quoted}`);
      if (!(await linked(quoted, quoting))) missing.push(`${quoted} to ${quoting}`);
    }
    expect(pairs).toHaveLength(42);
    expect(missing).toEqual([]);
  });

  test('Verse.crossReferences is not empty for Romans 8:28, Isaiah 53:5, Jeremiah 29:11 and 1 Samuel 16:7', async () => {
    const known = await client.verses<CrossReferences>('crossReferences { reference }', [
      'eng-web ROM 8:28',
      'eng-web ISA 53:5',
      'eng-web JER 29:11',
      'eng-web 1SA 16:7',
    ]);
    for (const verse of known) expect(verse?.crossReferences).not.toEqual([]);
  });

  test('the field Verse.crossReferences returns references in the language and with the verse numbers of the translation', async () => {
    const selection = 'crossReferences { reference verses { id } }';
    const [english, spanish] = await client.verses<CrossReferences>(selection, [
      'eng-web MAT 4:4',
      'spa-rv1909 MAT 4:4',
    ]);
    expect(english?.crossReferences.map(({ reference }) => reference)).toContain('Deuteronomy 8:3');
    expect(spanish?.crossReferences.map(({ reference }) => reference)).toContain('Deuteronomio 8:3');
    // Jonah 1:17 of the English translations is Jonah 2:1 in the Reina-Valera of 1909.
    const [matthew] = await client.verses<CrossReferences>('crossReferences(first: 100) { reference }', [
      'spa-rv1909 MAT 12:40',
    ]);
    expect(matthew?.crossReferences.map(({ reference }) => reference)).toContain('Jonás 2:1');
  });

  test("each verse to which Exodus 21:6 leads in Nave's Topical Bible has a cross reference back to Exodus 21:6", async () => {
    const of = async (place: string) =>
      (
        await client.verses<CrossReferences>(
          'crossReferences(first: 100) { reference verses(first: 50) { id } sources { id } }',
          [place],
        )
      )[0]?.crossReferences ?? [];
    const own = await client.verses<{ id: string }>('id', ['eng-web EXO 21:6']);
    const beside = (await of('eng-web EXO 21:6')).filter(({ sources }) => sources.some(({ id }) => id === 'naves'));
    expect(beside.length).toBeGreaterThan(0);
    for (const { verses } of beside) {
      for (const { id } of verses) {
        const [, place = ''] = Buffer.from(id, 'base64url').toString().split(':');
        const [translation, book, chapter, verse] = place.split('.');
        const back = await of(`${translation} ${book} ${chapter}:${verse}`);
        expect(back.flatMap((each) => each.verses.map((each2) => each2.id))).toContain(own[0]?.id);
      }
    }
  });
});

describe('commentary on a verse', () => {
  const selection =
    'commentary(first: 20) { commentary { id } reference heading text references { start length target { reference } } }';

  test('the field Verse.commentary returns a note for every verse of the range that the note explains', async () => {
    const verses = await client.verses<Notes>(selection, [
      'eng-web GEN 1:3',
      'eng-web GEN 1:4',
      'eng-kjv GEN 1:5',
      'eng-web GEN 1:6',
    ]);
    const notes = verses.map((verse) => verse?.commentary.find(({ commentary }) => commentary.id === 'henry'));
    expect(notes.slice(0, 3).map((note) => note?.reference)).toEqual(Array(3).fill('Genesis 1:3-5'));
    expect(new Set(notes.slice(0, 3).map((note) => note?.text)).size).toBe(1);
    expect(notes[3]?.reference).toBe('Genesis 1:6-13');
  });

  test('the field Verse.commentary returns the first note of each commentary before the second note of any commentary', async () => {
    const [verse] = await client.verses<Notes>('commentary(first: 5) { commentary { id } reference }', [
      'eng-web PSA 2:1',
    ]);
    expect(verse?.commentary.map(({ commentary }) => commentary.id)).toEqual([
      'henry',
      'scofield',
      'spurgeon',
      'henry',
      'spurgeon',
    ]);
  });

  test.each([
    ['henry', 'henry'],
    ['spurgeon', 'spurgeon'],
  ])('the field Verse.commentary with source: %j returns only notes of this commentary', async (source, id) => {
    const [verse] = await client.verses<Notes>(`commentary(source: "${source}", first: 20) { commentary { id } }`, [
      'eng-web PSA 23:1',
    ]);
    expect(verse?.commentary.length).toBeGreaterThan(0);
    expect(new Set(verse?.commentary.map(({ commentary }) => commentary.id))).toEqual(new Set([id]));
  });

  test.each(['nobody', '', '%', 'x'.repeat(1_000)].map((source) => [source.slice(0, 20), source]))(
    'the field Verse.commentary is empty for the unknown source %j',
    async (_, source) => {
      const [verse] = await client.verses<Notes>(`commentary(source: "${source}") { text }`, ['eng-web PSA 23:1']);
      expect(verse?.commentary).toEqual([]);
    },
  );

  test('the field Verse.commentary returns text without markup, and the offset of each reference in the text', async () => {
    const [verse] = await client.verses<{
      commentary: { text: string; references: { start: number; length: number; target: { reference: string } }[] }[];
    }>(selection, ['eng-web GEN 1:2']);
    const note = verse?.commentary.find(({ references }) => references.length > 0);
    expect(note?.text).not.toMatch(/[<>]/);
    expect(
      note?.references
        .slice(0, 2)
        .map(({ start, length, target }) => [note.text.slice(start, start + length), target.reference]),
    ).toEqual([
      ['Jeremiah 4:23-26', 'Jeremiah 4:23-27'],
      ['Isaiah 24:1', 'Isaiah 24:1'],
    ]);
  });

  test('the study subgraph rejects a request for more than 1,000 commentary notes', async () => {
    const places = Array.from({ length: 176 }, (_, index) => `eng-web PSA 119:${index + 1}`);
    await expect(client.verses('commentary(first: 20) { heading }', places)).rejects.toThrow(/at most 1000 notes/);
  });
});

test('a verse in which a translation combines two verses has at least as many notes and cross references as each of the two', async () => {
  const selection = 'commentary(source: "henry") { reference } crossReferences(first: 100) { reference }';
  // Numbers 13:33 of the Reina-Valera of 1909 contains the text of Numbers 13:32 and 13:33.
  const [combined, first, second] = await client.verses<Notes & CrossReferences>(selection, [
    'spa-rv1909 NUM 13:33',
    'eng-web NUM 13:32',
    'eng-web NUM 13:33',
  ]);
  expect(combined?.commentary.length).toBeGreaterThanOrEqual(
    Math.max(first?.commentary.length ?? Infinity, second?.commentary.length ?? Infinity),
  );
  expect(combined?.crossReferences.length).toBeGreaterThanOrEqual(
    Math.max(first?.crossReferences.length ?? 0, second?.crossReferences.length ?? 0),
  );
});

test('Verse.topics, Verse.crossReferences and Verse.commentary of 176 verses are read with at most two SQL statements each', async () => {
  const places = Array.from({ length: 176 }, (_, index) => `eng-web PSA 119:${index + 1}`);
  const counts: number[] = [];
  for (const field of ['topics { section }', 'crossReferences { reference }', 'commentary { heading }']) {
    client.statements.length = 0;
    await client.verses(field, places);
    counts.push(client.statements.length);
  }
  expect(counts).toEqual([1, 1, 2]);
});

test('_entities of the study subgraph returns null for a missing verse and for an unknown translation', async () => {
  const places = ['eng-web JHN 3:999', 'xyz JHN 3:16', 'eng-kjv GEN 51:1'];
  expect(await client.verses('topics { section }', places)).toEqual([null, null, null]);
});

test('the field commentaries returns each commentary with its source and its number of notes', async () => {
  const { commentaries } = await client.data<{
    commentaries: { id: string; noteCount: number; source: { id: string; licence: string } }[];
  }>('{ commentaries { id noteCount source { id licence } } }');
  expect(commentaries.map(({ id, noteCount }) => [id, noteCount])).toEqual([
    ['henry', 5_161],
    ['scofield', 3_733],
    ['spurgeon', 13_345],
  ]);
  expect(commentaries.every(({ id, source }) => id === source.id && source.licence === 'Public domain')).toBe(true);
});
