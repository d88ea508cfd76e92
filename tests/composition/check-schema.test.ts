import { spawnScript, startScriptRunner } from '../support/script-runner';
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

test('check-schema passes for unchanged schemas, compared with the supergraph, with an API schema in a file, and by default with the schema promised to clients, tests/contract.graphql', async () => {
  await withTree(async (tree) => {
    expect(await tree.check(...againstSupergraph)).toMatchObject({
      status: 0,
      output: expect.stringContaining('0 breaking changes, 0 allowed, 0 dangerous, 0 safe'),
    });
    expect(await tree.report('--against', 'tests/contract.graphql')).toMatchObject({ passes: true, breaking: [] });
    expect(await tree.report()).toMatchObject({ passes: true, against: ['tests/contract.graphql'], safe: [] });
  });
});

test('check-schema reports an added type and an added field once each as safe changes, and names their lines', async () => {
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

test('check-schema fails on a removed field, and reports the line of its type and the operations that select it', async () => {
  await withTree(async (tree) => {
    removeContractField(tree);
    const { status, output } = await tree.check(...againstSupergraph);
    expect(status).toBe(1);
    expect(output).toContain(
      `${textSchema}:${tree.lineOf(textSchema, '', 'type Translation')} (text): Field 'languageName' was removed from object type 'Translation'`,
    );
    expect(output).toContain('Promised by supergraph.graphql and tests/contract.graphql.');
    expect(output).toMatch(
      /tests\/operations\/reader\.graphql:\d+ \(TranslationMenu\): Cannot query field "languageName"/,
    );
    expect(output).toMatch(/services\/text\/examples\.graphql:\d+ \(Translations\): Cannot query field "languageName"/);
    expect(output).toMatch(
      /packages\/client\/documents\.graphql:\d+ \(TranslationFields\): Cannot query field "languageName"/,
    );
    expect(output).toContain(`- change: "Field 'languageName' was removed from object type 'Translation'"`);
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

test('check-schema fails if a mutation type is removed, unless each of its fields has a comment in contract.graphql that begins with "unsupported"', async () => {
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

test('check-schema names only the subgraph that made a shared field nullable', async () => {
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

test('check-schema reports the changed type of a field as breaking, also if its description changed', async () => {
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

test('check-schema reports a new required argument, a renamed argument, a renamed enum value, a changed default value and a field that became non-null as breaking changes, each with its file and line', async () => {
  const edits: [file: string, from: string, to: string, message: string][] = [
    [
      textSchema,
      '  books: [Book!]',
      '  books("The one to give." code: String!): [Book!]',
      "Argument 'code: String!' added",
    ],
    [textSchema, '    books: String @arg', '    book: String @arg', "Argument 'books: String' was removed"],
    [searchSchema, '  CANONICAL\n', '  BIBLICAL\n', "Enum value 'CANONICAL' was removed"],
    [searchSchema, 'limit: Int = 25', 'limit: Int = 20', "Default value for argument 'limit'"],
    [textSchema, '  languages: [Language!]\n', '  languages: [Language!]!\n', "Field 'Query.languages' changed type"],
  ];
  await withTree(async (tree) => {
    for (const [file, from, to] of edits) tree.edit(file, from, to);
    const { passes, breaking } = await tree.report(...againstSupergraph);
    expect(passes).toBe(false);
    const changes = edits.map(([file, , , message]) =>
      expect.objectContaining({
        message: expect.stringContaining(message),
        places: [expect.objectContaining({ file, line: expect.any(Number) })],
      }),
    );
    expect(breaking).toHaveLength(changes.length);
    expect(breaking).toEqual(expect.arrayContaining(changes));
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

test('check-schema fails on an operation of tests/operations that the schema does not support, and names its file, line and name', async () => {
  await withTree(async (tree) => {
    tree.write('tests/operations/next.graphql', 'query Next {\n  books {\n    name\n    author\n  }\n}\n');
    expect(await tree.report(...againstSupergraph)).toMatchObject({
      passes: false,
      breaking: [],
      operations: {
        errors: [
          {
            file: 'tests/operations/next.graphql',
            line: 4,
            operation: 'Next',
            message: expect.stringContaining('"author"'),
          },
        ],
      },
    });
    tree.write('tests/operations/next.graphql', 'query Next {');
    expect(await tree.check()).toMatchObject({
      status: 1,
      output: expect.stringContaining('tests/operations/next.graphql:1:13: Syntax Error'),
    });
  });
});

test("check-schema.mjs prints the same failure when it runs as a process and when it runs in the tests' script runner", async () => {
  await withTree(async (tree) => {
    removeContractField(tree);
    const { status, stdout } = spawnScript(tree.folder, 'check-schema.mjs', againstSupergraph);
    expect({ status, stdout }).toEqual({ status: 1, stdout: (await tree.check(...againstSupergraph)).stdout });
  });
});

test('check-schema fails on subgraphs that do not compose or do not parse, and names file and line; with --json it prints passes: false', async () => {
  await withTree(async (tree) => {
    tree.edit(searchSchema, '  text: String! @shareable', '  text: Int! @shareable');
    const line = tree.lineOf(searchSchema, 'type Verse ', 'text: Int');
    expect(await tree.check(...againstSupergraph)).toMatchObject({
      status: 1,
      output: expect.stringContaining(`${searchSchema}:${line} (search)`),
    });
    expect(await tree.check('--json')).toMatchObject({ status: 1, stdout: expect.stringContaining('"passes": false') });
    tree.edit(searchSchema, 'type Query {', 'type Query {{');
    expect(await tree.check(...againstSupergraph)).toMatchObject({
      status: 1,
      output: expect.stringContaining(
        `${searchSchema}:${tree.lineOf(searchSchema, '', 'type Query {')}:13: Syntax Error`,
      ),
    });
  });
});

test('check-schema passes if a subgraph drops a shared field, and reports the operations that then need another fetch', async () => {
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

test('check-schema fails if a client operation needs more than 3 fetches more than before, or more than --max-fetches-growth, and names its file and both numbers', async () => {
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
