import { startScriptRunner } from '../support/script-runner';
import type { SchemaTree } from './check-schema-fixture';
import {
  againstSupergraph,
  allowedBreaksFile,
  removeContractField,
  searchSchema,
  textSchema,
  withSchemaTree,
} from './check-schema-fixture';

const runner = startScriptRunner();
afterAll(() => runner.close());
const withTree = (use: (tree: SchemaTree) => Promise<void>) => withSchemaTree(runner, use);

test('check-schema reports each added type and each added field once as a safe change, and names its line', async () => {
  await withTree(async (tree) => {
    tree.edit(
      textSchema,
      'type Query {',
      'type Query {\n  "The psalms."\n  psalms("How many." first: Int! = 5): [Psalm!]\n',
    );
    tree.edit(
      textSchema,
      '"One of the 66 books',
      '"A psalm."\ntype Psalm {\n  "Its number."\n  number: Int!\n}\n\n"One of the 66 books',
    );
    const { passes, breaking, dangerous, safe } = await tree.report(...againstSupergraph);
    expect({ passes, breaking, dangerous }).toEqual({ passes: true, breaking: [], dangerous: [] });
    expect(safe.map(({ message, places }) => [message, places])).toEqual([
      [
        "Type 'Psalm' was added",
        [{ subgraph: 'text', file: textSchema, line: tree.lineOf(textSchema, '"A psalm."', 'type Psalm') }],
      ],
      [
        "Field 'psalms' was added to object type 'Query'",
        [{ subgraph: 'text', file: textSchema, line: tree.lineOf(textSchema, 'type Query', 'psalms(') }],
      ],
    ]);
  });
});

test('check-schema reports a safe change if a field is removed that contract.graphql marks with the comment "unsupported"', async () => {
  await withTree(async (tree) => {
    const contract = 'tests/contract.graphql';
    tree.edit(contract, '  languageName: String\n', '  languageName: String  # unsupported\n');
    removeContractField(tree);
    const { breaking, safe } = await tree.report();
    expect({ breaking, safe }).toMatchObject({
      breaking: [],
      safe: [{ message: "Field 'languageName' was removed from object type 'Translation'" }],
    });
  });
});

test('check-schema fails if a mutation type is removed, unless contract.graphql marks each field as "unsupported"', async () => {
  await withTree(async (tree) => {
    const contractWith = (comment: string) => `schema { query: Query mutation: Change }
      type Query { languages: [Language!] }
      type Language { code: String! }
      type Change {
        change: Int  ${comment}
      }`;
    tree.write('tests/contract.graphql', contractWith('# unsupported: a leftover'));
    expect(await tree.report()).toMatchObject({ passes: true, breaking: [], safe: [{}, {}] });
    tree.write('tests/contract.graphql', contractWith('# a leftover, which is unsupported'));
    expect(await tree.report()).toMatchObject({
      passes: false,
      breaking: [{ message: expect.stringMatching(/^Schema mutation type/) }, { message: "Type 'Change' was removed" }],
    });
  });
});

test('if one of several subgraphs makes a shared field nullable, check-schema names only this subgraph', async () => {
  await withTree(async (tree) => {
    tree.edit(searchSchema, '  reference: String! @shareable', '  reference: String @shareable');
    expect(await tree.report(...againstSupergraph)).toMatchObject({
      passes: false,
      breaking: [
        {
          message: "Field 'Verse.reference' changed type from 'String!' to 'String'",
          places: [
            {
              subgraph: 'search',
              file: searchSchema,
              line: tree.lineOf(searchSchema, 'type Verse ', 'reference: String'),
            },
          ],
        },
      ],
    });
  });
});

test('check-schema reports the changed type of a field as breaking, even if its description changed too', async () => {
  await withTree(async (tree) => {
    tree.edit(
      textSchema,
      '  "How many translations are in it."\n  translationCount: Int!',
      '  "How many there are."\n  translationCount: Int',
    );
    for (const against of [againstSupergraph, []])
      expect((await tree.report(...against)).breaking.map(({ message }) => message)).toEqual([
        "Field 'Language.translationCount' changed type from 'Int!' to 'Int'",
      ]);
  });
});

test('check-schema reports a new enum value as dangerous and passes', async () => {
  await withTree(async (tree) => {
    tree.edit(searchSchema, '  CANONICAL\n', '  CANONICAL\n  "The shortest verse first."\n  LENGTH\n');
    expect(await tree.report(...againstSupergraph)).toMatchObject({
      passes: true,
      dangerous: [{ message: expect.stringContaining("Enum value 'LENGTH' was added") }],
    });
  });
});

test('check-schema passes if a subgraph drops a shared field, and reports operations that then need another fetch', async () => {
  await withTree(async (tree) => {
    tree.edit(searchSchema, `  "The text on one line, without markup or notes."\n  text: String! @shareable\n`, '');
    const line = tree.lineOf(searchSchema, '', 'type Verse ');
    const { status, output } = await tree.check(...againstSupergraph);
    expect(status).toBe(0);
    expect(output).toContain(
      `1 shared field that a subgraph no longer resolves; clients get the same responses\n  ${searchSchema}:${line} (search): 'Verse.text'. If search returns the object, the field needs another fetch, from text or concordance`,
    );
    expect(output).toMatch(/tests\/operations\/search-page\.graphql:\d+ \(\w+\): 2 fetches, 1 before/);
    expect(output).toContain('0 breaking changes, 0 allowed, 0 dangerous, 0 safe');
    expect((await tree.check()).output).not.toContain('no longer resolves');
  });
});

test('check-schema fails if an operation needs more fetches than --max-fetches-growth allows, and prints both numbers', async () => {
  await withTree(async (tree) => {
    const verses = [1, 2, 3, 4, 5].map((n) => `v${n}: verse(book: "John", chapter: 1, verse: ${n}) { text }`);
    tree.write('packages/mcp/documents.graphql', `query FiveVerses { ${verses.join(' ')} }`);
    tree.edit(textSchema, `  "The text on one line, without markup or notes."\n  text: String! @shareable\n`, '');
    const { status, output } = await tree.check(...againstSupergraph);
    expect(status).toBe(1);
    expect(output).toMatch(
      /\d client operation with more than 3 fetches more\n {2}packages\/mcp\/documents\.graphql:1 \(FiveVerses\): 6 fetches, 1 before/,
    );
    expect(output).toContain('0 breaking changes');
    expect(output).toContain('Failed: client operations need too many more fetches.');
    expect(await tree.check(...againstSupergraph, '--max-fetches-growth', '5')).toMatchObject({ status: 0 });

    const { passes, maxFetchesGrowth, moreFetches } = await tree.report(
      ...againstSupergraph,
      '--max-fetches-growth',
      '4',
    );
    const excess = moreFetches.filter((each) => each.excess);
    expect({ passes, maxFetchesGrowth, excess }).toMatchObject({
      passes: false,
      maxFetchesGrowth: 4,
      excess: [
        {
          file: 'packages/mcp/documents.graphql',
          operation: 'FiveVerses',
          before: 1,
          now: 6,
        },
      ],
    });

    const until = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    tree.write(allowedBreaksFile, `- change: "${excess[0]?.message}"\n  until: ${until}\n  reason: a test\n`);
    const allowed = await tree.report(...againstSupergraph, '--max-fetches-growth', '4');
    expect(allowed.passes).toBe(true);
    expect(allowed.moreFetches.find(({ operation }) => operation === 'FiveVerses')).toMatchObject({
      excess: false,
      allowed: { until },
    });
  });
});

test('check-schema rejects a --max-fetches-growth that is not a whole number with exit status 2', async () => {
  await withTree(async (tree) => {
    for (const value of ['many', '-1', '1.5', ''])
      expect(await tree.check(`--max-fetches-growth=${value}`)).toMatchObject({
        status: 2,
        output: expect.stringContaining(`--max-fetches-growth must be a whole number, 0 or more, and is '${value}'`),
      });
  });
});
