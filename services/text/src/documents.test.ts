import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFiles } from '@lectern/corpus';
import { dataDir as defaultDataDir, readExamples } from '@lectern/testing';
import { openTextClient } from '../test-support/text-client';

const folder = mkdtempSync(join(tmpdir(), 'lectern-documents-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const genesis = '\\id GEN\n\\h 1. Mose\n\\ip Von den Anfängen\n\\c 1\n\\p\n\\v 1 eins';
const glossary = `\\id GLO\n\\h Worterklärungen\n${Array.from({ length: 105 }, (_, index) => `\\p \\k Wort ${index}\\k* heißt ${index}`).join('\n')}`;

/** Imports a translation of these USFM files, which replaces the translation with the same identifier. */
async function importBible(identifier: string, files: Record<string, string>): Promise<void> {
  const source = mkdtempSync(join(folder, 'source-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(source, name), content);
  const given = { identifier, language: 'deu' };
  await importFiles([source], { dataDir: folder, log: () => undefined, given, replace: true });
}
const openClient = async () => {
  await importBible('deu-own', { 'gen.usfm': genesis, 'glo.usfm': glossary });
  await importBible('deu-bare', { 'gen.usfm': '\\id GEN\n\\c 1\n\\p\n\\v 1 eins' });
  return openTextClient({ dataDir: folder });
};
const client = openClient();
afterAll(async () => (await client).close());

/** The translation of each document. */
const translation = { identifier: 'deu-own' };

const page =
  '{ document { code kind title paragraphCount translation { identifier } } totalCount edges { cursor node { kind level keyword text } } pageInfo { hasNextPage endCursor hasPreviousPage startCursor } }';

describe('documents of translations', () => {
  test('the field translationDocuments lists the introduction to a book and the glossary, which were imported from USFM', async () => {
    const { queryData } = await client;
    expect(
      await queryData(
        '{ own: translationDocuments(translation: "deu-own") { code kind title paragraphCount translation { identifier } } bare: translationDocuments(translation: "deu-bare") { code } }',
      ),
    ).toEqual({
      own: [
        { code: 'GEN', kind: 'BOOK_INTRODUCTION', title: '1. Mose', paragraphCount: 1, translation },
        { code: 'GLO', kind: 'GLOSSARY', title: 'Worterklärungen', paragraphCount: 105, translation },
      ],
      bare: [],
    });
  });

  test('the field translationDocument returns the introduction to a book by the code of the book in any case', async () => {
    const { queryData } = await client;
    const cursor: unknown = expect.any(String);
    const { translationDocument } = await queryData(
      `{ translationDocument(code: "gen", translation: "deu-own") ${page} }`,
    );
    expect(translationDocument).toEqual({
      document: { code: 'GEN', kind: 'BOOK_INTRODUCTION', title: '1. Mose', paragraphCount: 1, translation },
      totalCount: 1,
      edges: [
        {
          cursor,
          node: { kind: 'PARAGRAPH', level: 1, keyword: null, text: 'Von den Anfängen' },
        },
      ],
      pageInfo: { hasNextPage: false, endCursor: cursor, hasPreviousPage: false, startCursor: cursor },
    });
  });

  test('the pages of the field translationDocument return every entry of a glossary once, in the printed order', async () => {
    const { queryData } = await client;
    const keywords: string[] = [];
    const sizes: number[] = [];
    for (let after: string | null = null, isLast = false; !isLast; ) {
      const { translationDocument } = (await queryData(
        `query ($after: String) { translationDocument(code: "GLO", translation: "deu-own", first: 1000, after: $after) ${page} }`,
        { after },
      )) as unknown as {
        translationDocument: {
          edges: { node: { keyword: string; text: string } }[];
          pageInfo: { hasNextPage: boolean; endCursor: string };
        };
      };
      const { edges, pageInfo } = translationDocument;
      for (const { node } of edges) expect(node.text).toBe(node.keyword.replace(/Wort (.*)/, 'Wort $1 heißt $1'));
      keywords.push(...edges.map(({ node }) => node.keyword));
      sizes.push(edges.length);
      ({ endCursor: after } = pageInfo);
      isLast = !pageInfo.hasNextPage;
    }
    expect(keywords).toEqual(Array.from({ length: 105 }, (_, index) => `Wort ${index}`));
    expect(sizes).toEqual([100, 5]);
  });

  test.each([
    ['code: "FRT", translation: "deu-own"', "Document 'FRT' not found", 'NOT_FOUND'],
    ['code: "GEN", translation: "deu-bare"', "Document 'GEN' not found", 'NOT_FOUND'],
    ['code: "GEN", translation: "deu-none"', "Translation 'deu-none' not found", 'NOT_FOUND'],
    ['code: "GEN", translation: "deu-own", after: "x"', 'Invalid cursor', 'BAD_USER_INPUT'],
  ])('the field translationDocument with the arguments %s fails with the message %s', async (args, message, code) => {
    const { queryErrors } = await client;
    expect(await queryErrors(`{ translationDocument(${args}) { totalCount } }`)).toEqual([
      { message, code, path: 'translationDocument' },
    ]);
  });

  test('the examples of documents in examples.graphql return data for a translation with documents', async () => {
    const { queryData } = await client;
    const examples = readExamples(join(__dirname, '..', 'examples.graphql'));
    const example = examples.find(({ name }) => name === 'Glossary');
    const query = example?.query.replace('eng-web-c', 'deu-own') ?? '';
    expect(await queryData(query)).toMatchObject({ translationDocument: { totalCount: 105 } });
  });

  test('the translations that Lectern makes by itself have no documents', async () => {
    const { queryData, close } = openTextClient({ dataDir: defaultDataDir });
    expect(await queryData('{ translationDocuments { code } }')).toEqual({ translationDocuments: [] });
    close();
  });
});
