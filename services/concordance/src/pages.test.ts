import { useStarted } from '@lectern/testing';
import { type ConcordanceData, concordanceQueries, openConcordanceClient } from '../test-support/concordance-client';

const client = useStarted(openConcordanceClient);

const { concordance, concordanceError } = concordanceQueries(() => client);

const cursor = (text: string): string => Buffer.from(text).toString('base64url');

describe('filters', () => {
  test('the arguments book and testament of the field concordance filter the pages, but do not change the counts of the entry', async () => {
    const inPsalms = await concordance({ word: 'misericordia', book: 'Salmos', testament: 'OLD' });
    expect(inPsalms.totalCount).toBe(164);
    expect(inPsalms.entry.verseCount).toBe(398);
    const impossible = await concordance({ word: 'misericordia', book: 'psalms', testament: 'NEW' });
    expect(impossible).toMatchObject({
      totalCount: 0,
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
      entry: { verseCount: 398 },
    });
    expect(await concordance({ word: 'misericordia', testament: 'NEW', first: 1 })).toMatchObject({
      totalCount: 71,
      edges: [{ node: { verse: { reference: 'Mateo 5:7' } } }],
    });
  });

  test('the field concordance rejects an unknown book, an unknown translation and an invalid testament', async () => {
    expect(await concordanceError({ word: 'amor', book: 'Tolkien' })).toEqual({
      message: "Book 'Tolkien' not found",
      code: 'NOT_FOUND',
    });
    expect(await concordanceError({ word: 'amor', book: '' })).toEqual({
      message: "Book '' not found",
      code: 'NOT_FOUND',
    });
    expect(await concordanceError({ translation: 'SPA-RV1909', word: 'amor' })).toEqual({
      message: "Translation 'SPA-RV1909' not found",
      code: 'NOT_FOUND',
    });
    const { errors } = await client.execute(
      '{ concordance(translation: "eng-web", word: "love", testament: "OT") { totalCount } }',
    );
    expect(errors?.[0]?.extensions?.['code']).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});

describe('pages', () => {
  test('the pages of concordance contain each verse once, and each cursor leads to the next verse', async () => {
    const whole = await concordance({ word: 'gracia', testament: 'NEW', first: 100 });
    const allReferences: string[] = [];
    let after: string | null = null;
    for (let more = true; more; ) {
      const page: ConcordanceData = await concordance({ word: 'gracia', testament: 'NEW', first: 7, after });
      allReferences.push(...page.edges.map(({ node }) => node.verse.reference));
      after = page.pageInfo.endCursor;
      more = page.pageInfo.hasNextPage;
    }
    expect(allReferences).toHaveLength(whole.totalCount);
    expect(new Set(allReferences).size).toBe(allReferences.length);
    expect(allReferences.slice(0, 100)).toEqual(whole.edges.map(({ node }) => node.verse.reference));
    const middle = whole.edges[40];
    expect(
      (await concordance({ word: 'gracia', testament: 'NEW', first: 1, after: middle?.cursor })).edges[0]?.node.verse
        .reference,
    ).toBe(allReferences[41]);
  });

  test('pageInfo of a concordance page has its cursors, and hasPreviousPage is true if verses precede the page', async () => {
    const pageInfo = async (page: { testament?: string; after?: string | null }) => {
      const { edges, pageInfo: info } = await concordance({ word: 'misericordia', first: 3, ...page });
      const [first, last] = [edges[0]?.cursor ?? null, edges.at(-1)?.cursor ?? null];
      expect([info.startCursor, info.endCursor]).toEqual([first, last]);
      return info;
    };
    const first = await pageInfo({ testament: 'NEW' });
    expect(first).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(await pageInfo({ testament: 'NEW', after: first.endCursor })).toMatchObject({ hasPreviousPage: true });
    expect(await pageInfo({ testament: 'NEW', after: cursor('GEN:50:1') })).toEqual(first);
    expect(await pageInfo({ after: cursor('REV:22:21') })).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  test('the field concordance returns the first page if the argument after is null or empty', async () => {
    const first = await concordance({ word: 'amor' });
    expect(await concordance({ word: 'amor', after: null })).toEqual(first);
    expect(await concordance({ word: 'amor', after: '' })).toEqual(first);
  });

  test('the field concordance returns cursors in base64url without padding, and accepts a cursor with padding', async () => {
    const { edges } = await concordance({ word: 'amor', first: 1, after: cursor('JHN:3:16') });
    expect(edges[0]?.node.verse.reference).toBe('Juan 5:42');
    const padded = Buffer.from('JHN:3:1').toString('base64');
    expect(padded.endsWith('=')).toBe(true);
    expect((await concordance({ word: 'amor', first: 1, after: padded })).edges).toEqual(edges);
    expect(Buffer.from(edges[0]?.cursor ?? '', 'base64url').toString()).toBe('JHN:5:42');
  });

  test('a concordance cursor stands for a place in the Bible, so another word, filter or missing verse keeps it valid', async () => {
    const { edges } = await concordance({ word: 'misericordia', first: 1, after: cursor('MAT:5:6') });
    expect(edges[0]?.node.verse.reference).toBe('Mateo 5:7');
    expect((await concordance({ word: 'misericordia', first: 1, after: cursor('MAL:999:999') })).edges).toEqual(edges);
    expect(await concordance({ word: 'misericordia', book: 'GEN', after: cursor('EXO:1:1') })).toMatchObject({
      totalCount: 12,
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null },
    });
    expect((await concordance({ word: 'misericordia', book: 'RUT', after: cursor('GEN:1:1') })).edges).toHaveLength(1);
  });

  test.each([
    ['text that is not base64', 'not a cursor'],
    ['only a space', ' '],
    ['a character outside base64', 'R0VOOjE6MQ!'],
    ['an unknown book', cursor('XXX:1:1')],
    ['a book in small letters', cursor('gen:1:1')],
    ['chapter 0', cursor('GEN:0:1')],
    ['verse 0', cursor('GEN:1:0')],
    ['a leading zero', cursor('GEN:01:1')],
    ['no verse number', cursor('GEN:1')],
    ['a chapter number of four digits', cursor('GEN:1000:1')],
    ['a negative number', cursor('GEN:1:-1')],
    ['base64 with unused bits set', 'R0VOOjE6MR'],
    ['too much padding', 'R0VOOjE6MQ==='],
    ['needless padding', `${cursor('PSA:10:16')}=`],
    ['half of the padding', 'R0VOOjE6MQ='],
    ['a trailing line feed', cursor('GEN:1:1\n')],
    ['a NUL', 'R0VO\0OjE6MQ'],
    ['5000 characters', 'A'.repeat(5000)],
    ['an SQL injection', "'; DROP TABLE verse"],
  ])('the field concordance rejects an invalid cursor: %s', async (_, after) => {
    expect(await concordanceError({ word: 'amor', after })).toEqual({
      message: 'Invalid cursor',
      code: 'BAD_USER_INPUT',
    });
  });
});
