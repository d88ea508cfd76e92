import { graphqlHeaders, send, useStarted } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { costOf, createLimitChecks, repeat } from '../support/query-limit-checks';

// The limits on fields, selections and repetitions bound how long the validation and planning of a
// document block the event loop. Unlike the cost limit, they also reject documents of low cost.

const lectern = useStarted(startEmbeddedLectern);

const { errorsOf, passes } = createLimitChecks(() => lectern.client);

const withHighCost = useStarted(() =>
  startEmbeddedLectern({ limits: { tokens: 5_000, depth: 15, complexity: 100_000 } }),
);

test('the gateway rejects a query whose fragments expand to more than 600 fields and conditions, even if its cost is low', async () => {
  const cheap = (branches: number) =>
    `{ search(query: "love", limit: 1) { ...F0 } } ${repeat(2, (index) => `fragment F${index} on Verse { ${repeat(branches, (name) => `f${name}: crossReferences(first: 1) { verses(first: 1) { ...F${index + 1} } }`)} }`)} fragment F2 on Verse { ${repeat(40, (name) => `f${name}: id`)} }`;
  // The cost does not depend on the number of branches, so only the limit on fields and conditions
  // can reject the query.
  for (const branches of [1, 2, 3]) expect(await costOf(lectern, cheap(branches))).toBe(31);
  await passes(cheap(3));
  expect(await errorsOf(cheap(4))).toEqual([
    'QUERY_TOO_COMPLEX: Query has 681 fields and conditions after its fragments are expanded, which exceeds max 600. Send several smaller queries.',
  ]);
  expect(await errorsOf(cheap(16))).toEqual([expect.stringMatching(/^QUERY_TOO_COMPLEX/)]);
});

test('each directive @include counts as one condition in the limit of 600 fields and conditions of a query', async () => {
  const conditional = (fields: number) =>
    `query ($s: Boolean = true) { search(query: "love", limit: 1) { ${repeat(fields, (name) => `f${name}: id @include(if: $s)`)} } }`;
  await passes(conditional(299));
  expect(await errorsOf(conditional(300))).toEqual([
    'QUERY_TOO_COMPLEX: Query has 601 fields and conditions after its fragments are expanded, which exceeds max 600. Send several smaller queries.',
  ]);
});

test('fragments that expand exponentially are rejected, even if they select only __typename', async () => {
  const doubled = (levels: number) =>
    `{ verse(book: "JHN", chapter: 3, verse: 16) { ...F0 } } ${repeat(levels, (index) => `fragment F${index} on Verse { ... on Verse { ...F${index + 1} } ... { ...F${index + 1} } }`)} fragment F${levels} on Verse { __typename }`;
  await passes(doubled(9));
  expect(await errorsOf(doubled(11))).toEqual([
    'QUERY_TOO_COMPLEX: Query has 10238 selections after its fragments are expanded, which exceeds max 5000. Spread fragments less often.',
  ]);
  // Without this limit, the query planner would expand these fragments until its memory is
  // exhausted.
  expect(await errorsOf(doubled(40))).toEqual([expect.stringMatching(/^QUERY_TOO_COMPLEX/)]);
});

const tooManyRepeatedFields = [
  'GRAPHQL_VALIDATION_FAILED: The document repeats fields too often: more than 25,000 pairs of fields with the same response name, or of fragments that they spread, would be compared. Select each field once.',
];

test('a response name repeated too often gets one error, even in an operation that is not executed', async () => {
  const conflicts = (fields: number) =>
    errorsOf(
      `query Selected { __typename } query Other { ${repeat(fields, (index) => `a: passage(reference: "x${index}") { text }`)} }`,
      undefined,
      'Selected',
    );
  expect(await conflicts(150)).toHaveLength(100);
  expect(await conflicts(300)).toEqual(tooManyRepeatedFields);
});

test('fragments that together repeat a response name too often get one error, even if spread by another operation', async () => {
  const field = (index: number) => `a: ${index % 2 === 0 ? 'books' : 'languages'} { __typename }`;
  const conflicts = (fragments: number) =>
    errorsOf(
      `query Selected { __typename } query Other { ${repeat(fragments, (index) => `...F${index}`)} } ${repeat(fragments, (index) => `fragment F${index} on Query { ${field(index)} ${field(index + 1)} }`)}`,
      undefined,
      'Selected',
    );
  expect(await conflicts(75)).toHaveLength(100);
  expect(await conflicts(150)).toEqual(tooManyRepeatedFields);
});

test('the gateway accepts many repetitions of the same field in a selection set, because equal fields merge', async () => {
  await passes(`{ ${repeat(140, () => 'books { name }')} }`);
});

test('a chain of fragments with more than 20,000 selections gets one error, and a shorter chain is executed', async () => {
  const chain = (fragments: number) =>
    `{ ...F0 } ${repeat(fragments, (index) => `fragment F${index} on Query { a${index}: __typename b${index}: __typename c${index}: __typename ...F${index + 1} }`)} fragment F${fragments} on Query { __typename }`;
  await passes(chain(90));
  expect(await errorsOf(chain(120))).toEqual([
    'GRAPHQL_VALIDATION_FAILED: With their fragments expanded, the selection sets of the document have more than 20,000 selections together. Spread large fragments less often, or use shorter chains of fragments.',
  ]);
});

test('the gateway executes a document that spreads 200 fragments, and rejects a document that spreads 201 fragments', async () => {
  const tooManyFragments = ['QUERY_TOO_LONG: Query spreads more than 200 fragments'];
  const spreads = (fragments: number) => repeat(fragments, (index) => `...F${index}`);
  const withFragments = (fragments: number) =>
    `{ ${spreads(fragments)} ${spreads(fragments)} ... on Query { __typename } } ${repeat(fragments, (index) => `fragment F${index} on Query { __typename }`)}`;
  await passes(withFragments(200));
  expect(await errorsOf(withFragments(201))).toEqual(tooManyFragments);
  expect(await errorsOf(`{ ${spreads(201)} }`)).toEqual(tooManyFragments);
});

test('repeated fields whose fragments need too many comparisons are rejected, and fewer repetitions are executed', async () => {
  const repeated = (fields: number) =>
    `{ ${repeat(fields, () => `books { ${repeat(11, (index) => `...F${index}`)} }`)} } ${repeat(11, (index) => `fragment F${index} on Book { id }`)}`;
  await passes(repeated(20));
  expect(await errorsOf(repeated(60))).toEqual(tooManyRepeatedFields);
});

test('a response in which more than 1,000 fields fail has one error, even if no subgraph response has that many', async () => {
  const failing = (passages: number) =>
    `{ ${repeat(passages, (index) => `p${index}: passage(reference: "Ps 119:1-100") { verses { crossReferences(first: 1) { verses(first: 1) { ${repeat(9, (alias) => `a${alias}: inTranslation(identifier: "bad") { id }`)} } } } }`)} }`;
  const few = await errorsOf(failing(1));
  expect(few.length).toBeGreaterThan(300);
  expect(few.length).toBeLessThan(1_000);
  expect(await createLimitChecks(() => withHighCost.client).errorsOf(failing(4))).toEqual([
    'BAD_USER_INPUT: More than 1000 fields of one request fail; ask for less at once, and for what there is',
  ]);
});

test('empty lists count towards the maximum of 50,000 field values of verses in a response', async () => {
  const marks = (aliases: number) =>
    `{ passage(reference: "Psalms") { verses { ${repeat(aliases, (index) => `a${index}: marks { start }`)} } } }`;
  await passes(marks(2));
  expect(await createLimitChecks(() => withHighCost.client).errorsOf(marks(57))).toEqual([
    'BAD_USER_INPUT: One request gives at most 50000 values of verses, chapters and words; ask for fewer fields, or less at once',
  ]);
});

test('the error about a long cycle of fragments has at most 20 locations and a message of about 1,000 characters', async () => {
  const name = (index: number) => `F${index}_`.padEnd(100, 'x');
  const query = `{ ...${name(0)} } ${repeat(150, (index) => `fragment ${name(index)} on Query { ...${name((index + 1) % 150)} }`)}`;
  const { json } = await send(lectern.url, {
    headers: graphqlHeaders(lectern.token),
    body: JSON.stringify({ query }),
  });
  const [error] = (json() as { errors: { message: string; locations: unknown[] }[] }).errors;
  expect(error?.message).toMatch(/^Cannot spread fragment ".* \.\.\.$/);
  expect(error?.message.length).toBeLessThan(1_010);
  expect(error?.locations).toHaveLength(20);
});
