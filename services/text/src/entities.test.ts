import { dataDir } from '@lectern/testing';
import { openTextClient } from '../test-support/text-client';

const statements: string[] = [];
const { queryData, close } = openTextClient({ dataDir, onStatement: (statement) => statements.push(statement) });
afterAll(close);

describe('batched reads', () => {
  const entities =
    'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Verse { text reference inTranslation(identifier: "spa-rv1909") { text } } ... on Translation { name } } }';
  const verse = (place: string) => ({ __typename: 'Verse', id: Buffer.from(`v1:${place}`).toString('base64url') });

  test('_entities of the text subgraph reads 300 verses of three translations with three SQL statements', async () => {
    const places = Array.from({ length: 50 }, (_, index) => `PSA.119.${3 * index + 1}`);
    const representations = [
      ...places.map((place) => verse(`eng-web.${place}`)),
      ...places.map((place) => verse(`eng-kjv.${place}`)),
    ];
    // The first request also opens the files of the translations, which runs further statements.
    await queryData(entities, { r: representations });
    statements.length = 0;
    const { _entities } = (await queryData(entities, { r: representations })) as unknown as {
      _entities: { text: string; inTranslation: { text: string } }[];
    };
    expect(_entities).toHaveLength(100);
    expect(_entities.every((each) => each.text !== '' && each.inTranslation.text !== '')).toBe(true);
    expect(statements).toHaveLength(3);
  });

  test('_entities of the text subgraph returns null for a missing verse, an unknown translation and a malformed id', async () => {
    const representations = [
      verse('eng-web.JHN.3.16'),
      verse('eng-web.JHN.3.999'),
      verse('gone.JHN.3.16'),
      { __typename: 'Verse', id: 'x' },
      { __typename: 'Translation', identifier: 'gone' },
      { __typename: 'Translation', identifier: 'eng-kjv' },
    ];
    const { _entities } = (await queryData(entities, { r: representations })) as unknown as { _entities: unknown[] };
    expect(_entities.map((each) => each !== null)).toEqual([true, false, false, false, false, true]);
  });

  test('the text subgraph reads a passage with one SQL statement for both its text and its verses', async () => {
    statements.length = 0;
    await queryData('{ passage(reference: "Psalm 119") { text verses { text reference bookName id } } }');
    expect(statements).toHaveLength(1);
    statements.length = 0;
    await queryData(
      '{ bibleIndex { bookId } chapter(book: "PSA", chapter: 119) { text } verse(book: "JHN", chapter: 3, verse: 16) { text } }',
    );
    expect(statements).toHaveLength(1);
  });
});
