import { createTranslationFileCache } from '@lectern/data-files';
import { dataDir, runToEnd } from '@lectern/testing';
import Database from 'better-sqlite3';
import { writeFullTextIndex } from '../build';
import { openSearchFiles, readIndexInSteps, searchTables } from '../store';
import { parseQuery, withBeginning } from './query';
import { readTranslationIndex } from './translation-index';

/**
 * Indexes verses of a language. Returns a function that searches them, and returns the matched
 * words of each hit by the hit's index in `texts`.
 */
function searchIn(language: string, texts: readonly string[]) {
  const db = new Database(':memory:');
  db.exec(searchTables);
  writeFullTextIndex(
    db,
    language,
    texts.map((text, index) => ({ ordinal: 1_001_001 + index, text })),
  );
  const index = runToEnd(readTranslationIndex(db, language));
  return (query: string): Record<number, string[]> => {
    const parsed = parseQuery(query);
    const { hits, matchedSpans } = runToEnd(index.findFull(withBeginning(parsed) ?? parsed));
    return Object.fromEntries(
      hits.verses.map((verse) => [
        verse,
        matchedSpans(texts[verse] ?? '').map(({ start, length }) => (texts[verse] ?? '').slice(start, start + length)),
      ]),
    );
  };
}

test('full-text search in Czech, a language without a stemmer, finds words and word starts', () => {
  const find = searchIn('ces', ['Na počátku stvořil Bůh nebe a zemi.', 'Země pak byla nesličná a pustá.']);
  expect(find('pocatku')).toEqual({ 0: ['počátku'] });
  expect(find('zem')).toEqual({ 0: ['zemi'], 1: ['Země'] });
  expect(find('zemi')).toEqual({ 0: ['zemi'] });
});

test('full-text search in Greek ignores accents and final sigma, and finds inflected forms', () => {
  const find = searchIn('ell', ['Ἐν ἀρχῇ ἦν ὁ λόγος', 'καὶ τοὺς λόγους τούτους']);
  expect(find('λογος')).toEqual({ 0: ['λόγος'], 1: ['λόγους'] });
  expect(find('ΛΌΓΟΣ')).toMatchObject({ 0: ['λόγος'] });
  expect(Object.keys(find('λογοσ'))).toContain('0');
});

test('full-text search in Hebrew ignores vowel points', () => {
  const find = searchIn('heb', ['בְּרֵאשִׁית בָּרָא אֱלֹהִים']);
  expect(find('אלהים')).toEqual({ 0: ['אֱלֹהִים'] });
  // Both words match: the first word of the Bible begins with the letters of its second word.
  expect(find('בָּרָא')).toEqual({ 0: ['בְּרֵאשִׁית', 'בָּרָא'] });
});

test('full-text search in Russian finds inflected forms, and distinguishes й from и', () => {
  const find = searchIn('rus', ['В начале сотворил Бог небо и землю.', 'Земля же была безвидна и пуста', 'Была война']);
  expect(Object.keys(find('земли'))).toEqual(['0', '1']);
  expect(find('бои')).toEqual({});
  expect(find('война')).toEqual({ 2: ['война'] });
  expect(find('воина')).toEqual({});
});

test('search in Chinese, which writes no spaces, finds each word anywhere in a verse, and returns it as one span', () => {
  const find = searchIn('zho', ['神愛世人，甚至將他的獨生子賜給他們', '起初，神創造天地。', '人愛神']);
  expect(find('神愛世人')).toEqual({ 0: ['神愛世人'] });
  expect(find('獨生子')).toEqual({ 0: ['獨生子'] });
  expect(find('生子')).toEqual({ 0: ['生子'] });
  expect(Object.keys(find('神 愛'))).toEqual(['0', '2']);
  expect(find('"愛神"')).toEqual({ 2: ['愛神'] });
  expect(find('"生獨"')).toEqual({});
});

test('full-text search in Chinese finds traditional characters for simplified ones, and the reverse', () => {
  const find = searchIn('zho', ['神愛世人', '神爱世人']);
  expect(find('爱')).toEqual({ 0: ['愛'], 1: ['爱'] });
  expect(find('愛世人')).toEqual({ 0: ['愛世人'], 1: ['爱世人'] });
});

test.each([
  ['kor', '예수', ['예수께서 말씀하시되', '예수는', '예수께서는 예수의 제자들에게'], '아이와 나무'],
  ['kor', '사랑을', ['사랑하는 자여', '사랑하사', '사랑이'], '사람이'],
  ['kor', '왕', ['왕이', '왕들의', '왕에게'], '왕비'],
  ['tam', 'தேவன்', ['தேவனுடைய', 'தேவனை'], 'தேன்'],
  ['hye', 'որդի', ['որդու', 'Որդին'], 'ուրիշ'],
  ['guj', 'શિષ્ય', ['શિષ્યોને', 'શિષ્યો'], 'શહેર'],
  ['tuk', 'ata', ['Atamyň öýi', 'atalar'], 'at'],
  ['deu', 'Huette', ['die Hütte', 'in den Hütten'], 'Hut'],
  ['deu', 'Hütte', ['die Huette', 'der Huetten'], 'Hut'],
  ['fra', 'coeur', ['le cœur', 'les cœurs'], 'cour'],
  ['dan', 'kaer', ['en kær ven'], 'kar'],
  ['lat', 'Jesus', ['Iesus', 'Jesus'], 'Iosue'],
  ['lat', 'caelum', ['cælum', 'caelum'], 'celer'],
])(
  'full-text search in the language %s finds for %s each of the verses %j, but not %s',
  (language, query, verses, other) => {
    const found = searchIn(language, [...verses, other])(`${query} `);
    expect(Object.keys(found)).toEqual(verses.map((_, at) => String(at)));
  },
);

test('full-text search in Thai and Burmese finds a word with its vowel and tone marks, and returns the word as one span', () => {
  const find = searchIn('tha', ['ในปฐมกาลพระเจ้าทรงสร้างฟ้าและแผ่นดิน', 'น้ำไหลลงทะเล']);
  expect(find('พระเจ้า')).toEqual({ 0: ['พระเจ้า'] });
  expect(find('น้ำ')).toEqual({ 1: ['น้ำ'] });
  expect(find('"เจ้าพระ"')).toEqual({});
  expect(searchIn('mya', ['နံနက်ခင်းအလင်းသည်'])('အလင်း')).toEqual({ 0: ['အလင်း'] });
});

test('full-text search in a translation that has no verses returns no hits', () => {
  expect(searchIn('eng', [])('god')).toEqual({});
});

test('full-text search counts the offsets of matches in UTF-16 units', () => {
  const find = searchIn('eng', ['𝔤𝔬𝔡 is good']);
  expect(find('god')).toEqual({ 0: ['𝔤𝔬𝔡'] });
  expect(find('good')).toEqual({ 0: ['good'] });
});

test('full-text search works in a translation with more verses and words than a 16-bit number can count', () => {
  const find = searchIn(
    'eng',
    Array.from({ length: 66_000 }, (_, index) => `verse${index.toString(36)} lamp`),
  );
  expect(find('verse0')).toEqual({ 0: ['verse0'] });
  expect(find('verse1exb lamp')).toEqual({ 65_999: ['verse1exb', 'lamp'] });
});

/**
 * Takes the steps that verify and open the file of a translation, and the first step that reads its
 * index.
 */
function startReading(identifier: string, memory = createTranslationFileCache({ maxBytes: 1e9 })) {
  const files = openSearchFiles({ dataDir, memory });
  runToEnd(files.verifyInSteps(identifier));
  const steps = readIndexInSteps(files, identifier);
  steps.next();
  steps.next();
  return { files, steps };
}

test('two concurrent first searches in a translation read its index only once, in several steps', () => {
  const { files, steps } = startReading('eng-web');
  // Pauses once before it uses the file, and four times while it reads the rest of the index.
  expect([...readIndexInSteps(files, 'eng-web')]).toHaveLength(5);
  expect(steps.next()).toEqual({ done: true, value: files.use('eng-web')?.index.read() });
  files.close();
});

test('a search succeeds even if its search.sqlite is closed, to free memory, before the index has been read', () => {
  const { files, steps } = startReading('eng-web', createTranslationFileCache({ maxBytes: 1 }));
  files.use('spa-rv1909');
  const index = runToEnd(steps);
  expect(index && runToEnd(index.findFull(parseQuery('Habakkuk'))).hits.verses).toHaveLength(2);
  files.close();
});
