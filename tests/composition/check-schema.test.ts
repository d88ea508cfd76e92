import { spawnScript, startScriptRunner } from '../support/script-runner';
import type { SchemaTree } from './check-schema-fixture';
import {
  againstSupergraph,
  removeContractField,
  searchSchema,
  textSchema,
  withSchemaTree,
} from './check-schema-fixture';

const runner = startScriptRunner();
afterAll(() => runner.close());
const withTree = (use: (tree: SchemaTree) => Promise<void>) => withSchemaTree(runner, use);

test('check-schema passes for unchanged schemas, against a supergraph, an API schema or tests/contract.graphql', async () => {
  await withTree(async (tree) => {
    expect(await tree.check(...againstSupergraph)).toMatchObject({
      status: 0,
      output: expect.stringContaining('0 breaking changes, 0 allowed, 0 dangerous, 0 safe'),
    });
    expect(await tree.report('--against', 'tests/contract.graphql')).toMatchObject({ passes: true, breaking: [] });
    expect(await tree.report()).toMatchObject({ passes: true, against: ['tests/contract.graphql'], safe: [] });
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

test('check-schema reports changes of arguments, enums, defaults and nullability that break clients, with file and line', async () => {
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
    [textSchema, '  languages: [Language!] @', '  languages: [Language!]! @', "Field 'Query.languages' changed type"],
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

test('check-schema fails on an unsupported operation of tests/operations, and names its file, line and name', async () => {
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

test('check-schema.mjs prints the same failure whether the tests call it directly or start it as a process', async () => {
  await withTree(async (tree) => {
    removeContractField(tree);
    const { status, stdout } = spawnScript(tree.folder, 'check-schema.mjs', againstSupergraph);
    expect({ status, stdout }).toEqual({ status: 1, stdout: (await tree.check(...againstSupergraph)).stdout });
  });
});

test('check-schema fails if subgraphs do not compose or parse, names file and line, and prints passes: false with --json', async () => {
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
