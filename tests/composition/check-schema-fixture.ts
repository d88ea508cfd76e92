import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryRoot, withFolder } from '@lectern/testing';
import type { ScriptRunner } from '../support/script-runner';
import { repositorySubgraphs } from '../support/supergraph-yaml';

const copiedFiles = [
  'supergraph.yaml',
  'supergraph.graphql',
  'tests/contract.graphql',
  'tests/allowed-breaks.yaml',
  'tests/operations',
  'packages/client/documents.graphql',
  'packages/mcp/documents.graphql',
  ...repositorySubgraphs.flatMap(({ folder }) => [
    `${folder}/schema.graphql`,
    `${folder}/examples.graphql`,
    `${folder}/package.json`,
  ]),
];
export const textSchema = 'services/text/schema.graphql';
export const searchSchema = 'services/search/schema.graphql';
export const allowedBreaksFile = 'tests/allowed-breaks.yaml';
/** Makes check-schema.mjs compare the changed subgraphs with the supergraph before the change. */
export const againstSupergraph = ['--against', 'supergraph.graphql'];

interface SourcePlace {
  subgraph: string;
  file: string | null;
  line: number | null;
}
interface SchemaChange {
  message: string;
  against: string[];
  places: SourcePlace[];
  allowed?: { until: string } | null;
}
/** The members that tests read of the report that check-schema.mjs prints with --json. */
interface SchemaReport {
  passes: boolean;
  breaking: SchemaChange[];
  dangerous: SchemaChange[];
  safe: SchemaChange[];
  maxFetchesGrowth: number;
  moreFetches: {
    file: string;
    operation: string | null;
    before: number;
    now: number;
    excess: boolean;
    allowed: { until: string } | null;
    message: string;
  }[];
  operations: { errors: { file: string; line: number; operation: string; message: string }[] };
}

export type SchemaTree = ReturnType<typeof openTree>;

/**
 * Copies the files that check-schema.mjs reads into `folder`, where a test changes them as a team
 * would. The copied supergraph.graphql is the supergraph before the change.
 */
function openTree(runner: ScriptRunner, folder: string) {
  for (const file of copiedFiles) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(repositoryRoot, file), join(folder, file), { recursive: true });
  }
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  const script = async (name: string, args: string[]) => {
    const { status, stdout, stderr } = await runner.run(folder, name, args);
    return { status, output: stdout + stderr, stdout };
  };
  return {
    folder,
    write,
    /** Replaces the first occurrence of `from`. Throws if the file does not contain it. */
    edit(file: string, from: string, to: string) {
      const text = read(file);
      if (!text.includes(from)) throw new Error(`${file} has no ${JSON.stringify(from)}`);
      write(file, text.replace(from, to));
    },
    /** Returns the number of the line in which `words` first occurs after the first `start`. */
    lineOf: (file: string, start: string, words: string) =>
      read(file)
        .slice(0, read(file).indexOf(words, read(file).indexOf(start)))
        .split('\n').length,
    /** Composes supergraph.graphql again from the changed subgraphs. */
    compose: async () => expect((await script('compose-supergraph.mjs', [])).status).toBe(0),
    script,
    check: (...args: string[]) => script('check-schema.mjs', args),
    report: async (...args: string[]) =>
      JSON.parse((await script('check-schema.mjs', [...args, '--json'])).stdout) as SchemaReport,
    git: (...args: string[]) => {
      const settings = ['user.name=A team', 'user.email=team@example.org', 'commit.gpgsign=false'];
      const options = settings.flatMap((setting) => ['-c', setting]);
      expect(spawnSync('git', [...options, ...args], { cwd: folder })).toMatchObject({ status: 0 });
    },
  };
}

/** Calls `use` with a copy of the schema files in a temporary folder. */
export const withSchemaTree = (runner: ScriptRunner, use: (tree: SchemaTree) => Promise<void>): Promise<void> =>
  withFolder((folder) => use(openTree(runner, folder)));

/** Removes a field of the text subgraph that tests/contract.graphql contains. */
export const removeContractField = (tree: SchemaTree) =>
  tree.edit(textSchema, `  "The language's English name; null when it is not known."\n  languageName: String\n`, '');
