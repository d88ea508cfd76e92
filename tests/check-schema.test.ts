import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram, repositoryRoot, withFolder } from '@lectern/testing';

const git = findProgram(['git'], 'git');
const withGit = git === null ? describe.skip : describe;

const files = [
  'supergraph.yaml',
  'supergraph.graphql',
  'tests/contract.graphql',
  'tests/allowed-breaks.yaml',
  'tests/operations',
  ...['text', 'search', 'concordance'].flatMap((name) => [
    `services/${name}/schema.graphql`,
    `services/${name}/examples.graphql`,
  ]),
];
const textSchema = 'services/text/schema.graphql';
const searchSchema = 'services/search/schema.graphql';
const allowances = 'tests/allowed-breaks.yaml';
const before = ['--against', 'supergraph.graphql'];

interface Place {
  subgraph: string;
  file: string | null;
  line: number | null;
}
interface Change {
  message: string;
  against: string[];
  places: Place[];
  allowed?: { until: string } | null;
}
interface Findings {
  passes: boolean;
  breaking: Change[];
  dangerous: Change[];
  safe: Change[];
  operations: { errors: { file: string; line: number; operation: string; message: string }[] };
}

type Tree = ReturnType<typeof openTree>;

/** A copy of what the check reads, to be changed as a team would; the supergraph.graphql in it is still that from before. */
function openTree(folder: string) {
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(repositoryRoot, file), join(folder, file), { recursive: true });
  }
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  const run = (program: string, args: string[]) => spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  const script = (name: string, args: string[]) => {
    const { status, stdout, stderr } = run(process.execPath, [join(repositoryRoot, 'scripts', name), ...args]);
    return { status, said: stdout + stderr, stdout };
  };
  return {
    write,
    /** Replaces words that stand in a file. */
    edit(file: string, from: string, to: string) {
      const text = read(file);
      if (!text.includes(from)) throw new Error(`${file} has no ${JSON.stringify(from)}`);
      write(file, text.replace(from, to));
    },
    /** The line of the first such words behind others. */
    lineOf: (file: string, behind: string, words: string) =>
      read(file)
        .slice(0, read(file).indexOf(words, read(file).indexOf(behind)))
        .split('\n').length,
    compose: () => expect(script('compose.mjs', []).status).toBe(0),
    check: (...args: string[]) => script('check-schema.mjs', args),
    findings: (...args: string[]) => JSON.parse(script('check-schema.mjs', [...args, '--json']).stdout) as Findings,
    git: (...args: string[]) =>
      expect(
        run('git', [
          '-c',
          'user.name=A team',
          '-c',
          'user.email=team@example.org',
          '-c',
          'commit.gpgsign=false',
          ...args,
        ]),
      ).toMatchObject({ status: 0 }),
  };
}

const withTree = (use: (tree: Tree) => void) => withFolder((folder) => use(openTree(folder)));

/** The text subgraph loses a field that the contract names. */
const takeAway = (tree: Tree) =>
  tree.edit(textSchema, `  "The language's English name; null when it is not known."\n  languageName: String\n`, '');

const allowance = (change: string, until: string) =>
  `- change: ${JSON.stringify(change)}\n  until: ${until}\n  reason: agreed with the reading applications\n`;
const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

test('a tree that changes nothing passes, beside its own supergraph, beside an API schema and beside the contract alone', async () => {
  await withTree((tree) => {
    expect(tree.check(...before)).toMatchObject({
      status: 0,
      said: expect.stringContaining('0 breaking changes, 0 allowed, 0 dangerous, 0 safe'),
    });
    expect(tree.findings('--against', 'tests/contract.graphql')).toMatchObject({ passes: true, breaking: [] });
    expect(tree.findings()).toMatchObject({ passes: true, against: ['tests/contract.graphql'], safe: [] });
  });
});

test('what grows is told once, as safe, with its line, and passes', async () => {
  await withTree((tree) => {
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
    const { passes, breaking, dangerous, safe } = tree.findings(...before);
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

test('a field that a subgraph took away fails, with the line where it stood, who was promised it and which operations ask for it', async () => {
  await withTree((tree) => {
    takeAway(tree);
    const { status, said } = tree.check(...before);
    expect(status).toBe(1);
    expect(said).toContain(
      `${textSchema}:${tree.lineOf(textSchema, '', 'type Translation')} (text): Field 'languageName' was removed from object type 'Translation'`,
    );
    expect(said).toContain('Promised by supergraph.graphql and tests/contract.graphql.');
    expect(said).toMatch(
      /tests\/operations\/reader\.graphql:\d+ \(TranslationMenu\): Cannot query field "languageName"/,
    );
    expect(said).toMatch(/services\/text\/examples\.graphql:\d+ \(Translations\): Cannot query field "languageName"/);
    expect(said).toContain(`- change: "Field 'languageName' was removed from object type 'Translation'"`);
  });
});

test('of a field that three subgraphs share, only the one that made it nullable is at fault', async () => {
  await withTree((tree) => {
    tree.edit(searchSchema, '  reference: String! @shareable', '  reference: String @shareable');
    expect(tree.findings(...before)).toMatchObject({
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

test('a change of type is seen behind a new description of the same field', async () => {
  await withTree((tree) => {
    tree.edit(
      textSchema,
      '  "How many translations are in it."\n  translationCount: Int!',
      '  "How many there are."\n  translationCount: Int',
    );
    for (const against of [before, []])
      expect(tree.findings(...against).breaking.map(({ message }) => message)).toEqual([
        "Field 'Language.translationCount' changed type from 'Int!' to 'Int'",
      ]);
  });
});

test.each([
  [
    'an argument that must now be given',
    textSchema,
    '  languages: [Language!]',
    '  languages("The one to give." code: String!): [Language!]',
    "Argument 'code: String!' added",
  ],
  [
    'an argument of another name',
    textSchema,
    '    books: String\n',
    '    book: String\n',
    "Argument 'books: String' was removed",
  ],
  [
    'an enum value of another name',
    searchSchema,
    '  CANONICAL\n',
    '  BIBLICAL\n',
    "Enum value 'CANONICAL' was removed",
  ],
  [
    'a default that the contract names',
    searchSchema,
    'limit: Int = 25',
    'limit: Int = 20',
    "Default value for argument 'limit'",
  ],
  [
    'a type that the contract names, though it became a narrower one',
    textSchema,
    '  languages: [Language!]\n',
    '  languages: [Language!]!\n',
    "Field 'Query.languages' changed type",
  ],
])('%s breaks, at its line', async (_, file, from, to, message) => {
  await withTree((tree) => {
    tree.edit(file, from, to);
    const { passes, breaking } = tree.findings(...before);
    expect(passes).toBe(false);
    expect(breaking).toEqual([
      expect.objectContaining({
        message: expect.stringContaining(message),
        places: [expect.objectContaining({ file, line: expect.any(Number) })],
      }),
    ]);
  });
});

test('a new value of an enum is dangerous and passes', async () => {
  await withTree((tree) => {
    tree.edit(searchSchema, '  CANONICAL\n', '  CANONICAL\n  "The shortest verse first."\n  LENGTH\n');
    expect(tree.findings(...before)).toMatchObject({
      passes: true,
      dangerous: [{ message: expect.stringContaining("Enum value 'LENGTH' was added") }],
    });
  });
});

test('an operation that an application will send, and that the schema does not know, fails by file, line and name', async () => {
  await withTree((tree) => {
    tree.write('tests/operations/next.graphql', 'query Next {\n  books {\n    name\n    author\n  }\n}\n');
    expect(tree.findings(...before)).toMatchObject({
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
    expect(tree.check()).toMatchObject({
      status: 1,
      said: expect.stringContaining('tests/operations/next.graphql:1:13: Syntax Error'),
    });
  });
});

describe('a break that is allowed for a time', () => {
  const taken = "Field 'dialects' was removed from object type 'Query'";
  /** Takes back a field that was there before, beside the contract, and that no recorded operation asks for. */
  const takeBack = (tree: Tree) => {
    tree.edit(textSchema, 'type Query {\n', 'type Query {\n  "Ways to speak a language."\n  dialects: [Language!]\n\n');
    tree.compose();
    tree.edit(textSchema, '  "Ways to speak a language."\n  dialects: [Language!]\n\n', '');
  };

  test('passes, and is still told, up to its day', async () => {
    await withTree((tree) => {
      takeBack(tree);
      expect(tree.check(...before)).toMatchObject({ status: 1, said: expect.stringContaining(taken) });
      tree.write(allowances, allowance(taken, inDays(0)));
      const { status, said } = tree.check(...before);
      expect(status).toBe(0);
      expect(said).toContain('1 breaking change allowed for a time');
      expect(said).toContain(`Until ${inDays(0)}: agreed with the reading applications`);
    });
  });

  test.each([
    ['from the next day on', allowance(taken, inDays(-1)), `:1: expired on ${inDays(-1)}`],
    ['when its day is no day', allowance(taken, '2026-02-30'), 'until must be a day'],
    ['when it would last for ever', allowance(taken, '2999-01-01'), 'until may lie 180 days ahead'],
    ['when it gives no reason', `- change: "${taken}"\n  until: ${inDays(3)}\n`, 'reason is missing'],
    ['when it has a misspelt key', `${allowance(taken, inDays(3))}  untill: x\n`, 'unknown key "untill"'],
    ['when the file is no list', 'dialects: true\n', 'must be a list'],
    ['when the file is no YAML', '- change: [', ':1: '],
  ])('fails %s', async (_, text, words) => {
    await withTree((tree) => {
      tree.write(allowances, text);
      const { status, said } = tree.check();
      expect(status).toBe(1);
      expect(said.split('\n').find((line) => line.startsWith(`  ${allowances}:`))).toContain(words);
    });
  });

  test('an expired entry fails also where nothing breaks, and one that nothing needs is named', async () => {
    await withTree((tree) => {
      tree.write(allowances, allowance(taken, inDays(-1)));
      expect(tree.check()).toMatchObject({ status: 1, said: expect.stringContaining('expired on') });
      tree.write(allowances, allowance(taken, inDays(9)));
      expect(tree.check(...before)).toMatchObject({
        status: 0,
        said: expect.stringContaining('Allowances that nothing needs any more'),
      });
    });
  });

  test('the allowance of one break does not cover another', async () => {
    await withTree((tree) => {
      takeBack(tree);
      tree.write(allowances, allowance("Field 'languages' was removed from object type 'Query'", inDays(9)));
      expect(tree.check(...before).status).toBe(1);
    });
  });
});

test('a tree that does not compose is told by file and line, in JSON too', async () => {
  await withTree((tree) => {
    tree.edit(searchSchema, '  text: String! @shareable', '  text: Int! @shareable');
    const line = tree.lineOf(searchSchema, 'type Verse ', 'text: Int');
    expect(tree.check(...before)).toMatchObject({
      status: 1,
      said: expect.stringContaining(`${searchSchema}:${line} (search)`),
    });
    expect(tree.check('--json')).toMatchObject({ status: 1, stdout: expect.stringContaining('"passes": false') });
    tree.edit(searchSchema, 'type Query {', 'type Query {{');
    expect(tree.check(...before)).toMatchObject({
      status: 1,
      said: expect.stringContaining(
        `${searchSchema}:${tree.lineOf(searchSchema, '', 'type Query {')}:13: Syntax Error`,
      ),
    });
  });
});

test.each([
  ['a file that is not there', ['--against', 'none.graphql'], 'none.graphql: no such file'],
  ['a folder', ['--against', 'tests'], 'tests: is a folder'],
  ['a file that is no GraphQL', ['--against', 'supergraph.yaml'], 'supergraph.yaml:3:1: Syntax Error'],
  ["a subgraph's schema", ['--against', textSchema], 'neither a supergraph nor an API schema'],
  ['operations', ['--against', 'tests/operations/reader.graphql'], 'neither a supergraph nor an API schema'],
  ['an unknown option', ['--agianst', 'x'], "Unknown option '--agianst'"],
  ['an option without its value', ['--against'], '--against'],
])('%s is refused with status 2', async (_, args, words) => {
  await withTree((tree) =>
    expect(tree.check(...args)).toMatchObject({ status: 2, said: expect.stringContaining(words) }),
  );
});

withGit('in git', () => {
  test('a branch is compared with; one that is not there, one without a supergraph and a folder outside git are refused with what to do', async () => {
    await withTree((tree) => {
      expect(tree.check('--against', 'git:main')).toMatchObject({
        status: 2,
        said: expect.stringContaining('not a git checkout'),
      });
      tree.git('init', '--quiet', '--initial-branch=main');
      tree.git('commit', '--quiet', '--allow-empty', '--message=nothing yet');
      expect(tree.check('--against', 'git:main')).toMatchObject({
        status: 2,
        said: expect.stringContaining('has no supergraph.graphql'),
      });
      tree.git('add', '.');
      tree.git('commit', '--quiet', '--message=all');
      takeAway(tree);
      expect(tree.findings('--against', 'git:main').breaking[0]).toMatchObject({
        against: ['git:main', 'tests/contract.graphql'],
        places: [{ subgraph: 'text' }],
      });
      for (const ref of ['git:none', 'git:--help', 'git:'])
        expect(tree.check('--against', ref)).toMatchObject({
          status: 2,
          said: expect.stringMatching(/no such branch|names no branch/),
        });
    });
  });
});

test('--help says what can be asked', async () => {
  await withTree((tree) =>
    expect(tree.check('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--against git:REF') }),
  );
});
