// `npm test` runs the checks, and then jest. `npm run test:long` and `npm run test:standard` run only jest.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runCommand, usageError } from './command-line.mjs';
import { prepare, root } from './install-and-build.mjs';

/**
 * Test files that only the long run contains. They need 5 to 30 s of processor time each: they start many processes,
 * load many pages in a browser, or check files and formats that seldom change. `npm test -- <path>` runs them too.
 */
const onlyLongTests = [
  'tests/clients/client-libraries.test.ts',
  'tests/clients/client-recipes.test.ts',
  'tests/clients/graphql-developer-tools.test.ts',
  'tests/composition/allowed-breaks.test.ts',
  'tests/composition/check-schema.test.ts',
  'tests/composition/check-schema-arguments.test.ts',
  'tests/composition/check-schema-changes.test.ts',
  'tests/composition/new-subgraph-command.test.ts',
  'tests/composition/publish-lock.test.ts',
  'tests/composition/publish-schema.test.ts',
  'tests/composition/rover.test.ts',
  'tests/containers/host-processes.test.ts',
  'tests/docs/tutorials.test.ts',
  'tests/distributed/delivery-workflows.test.ts',
  'tests/distributed/moving-a-field.test.ts',
  'tests/distributed/connections-at-stop.test.ts',
  'tests/distributed/restarts.test.ts',
  'tests/distributed/subgraph-replicas.test.ts',
  'tests/distributed/two-versions.test.ts',
  'tests/distributed/two-workers.test.ts',
  'tests/examples/reader.test.ts',
  'tests/http/unread-responses.test.ts',
  'tests/site/explorer-browser.test.ts',
  'tests/distributed/adding-a-subgraph.test.ts',
  'tests/distributed/subgraph-failures.test.ts',
  'tests/distributed/subgraph-secrets.test.ts',
  'tests/distributed/supergraph-updates.test.ts',
  'tests/execution/generated-operations.test.ts',
  'tests/keys/keys-in-postgresql.test.ts',
  'tests/site/page-accessibility.test.ts',
  'tests/telemetry/traces.test.ts',
  'tests/worst-case/worst-operations.test.ts',
  'tests/data-folder/full-disk.test.ts',
  'tests/data-folder/killed-import.test.ts',
  'tests/data-folder/read-only-data.test.ts',
  'packages/corpus/src/formats/usfm-web.test.ts',
  'packages/corpus/src/sword/mod2imp-layout.test.ts',
  'packages/corpus/src/sword/mod2imp-text.test.ts',
  'packages/embeddings/src/built-in.test.ts',
  'packages/embeddings/src/open-vectors.test.ts',
  'services/search/src/semantic/build.test.ts',
  'services/search/src/semantic/quality.test.ts',
  'tests/data-folder/data-command.test.ts',
  'tests/data-folder/scripts.test.ts',
  'tests/data-folder/translation-changes.test.ts',
  'tests/support/jest-runner.test.ts',
  'tests/telemetry/failing-collector.test.ts',
  'services/originals/src/lexicons/source-counts.test.ts',
  'services/originals/src/source-counts.test.ts',
  'services/search/src/semantic/query-vectors.test.ts',
  'services/study/src/sources.test.ts',
];

/** Test files of which `npm test` runs a share of the checks, the same in each run. The long run runs all, with TEST_SEED=all. */
const dividedTests = [
  'tests/distributed/supergraph-registry.test.ts',
  'tests/documents/trusted-documents-url.test.ts',
  'tests/keys/approval-mail.test.ts',
  'tests/keys/restricted-translations.test.ts',
  'tests/limits/redis-outages.test.ts',
  'tests/start/invalid-settings.test.ts',
  'tests/start/npm-commands.test.ts',
  'tests/start/npm-start.test.ts',
  'tests/supergraphs/own-supergraph.test.ts',
  'tests/supergraphs/random-queries.test.ts',
  'tests/worst-case/event-loop-delay.test.ts',
  'packages/canon/src/find-references.test.ts',
  'packages/canon/src/linear-time.test.ts',
  'packages/canon/src/other-numbering.test.ts',
  'packages/corpus/src/command.test.ts',
  'packages/data-files/src/open-file-limit.test.ts',
  'packages/reference-works/src/read-commentary.test.ts',
  'services/concordance/src/collocates.test.ts',
  'services/concordance/src/concordance.test.ts',
  'services/concordance/src/index-field.test.ts',
  'services/search/src/semantic/modes.test.ts',
  'services/search/src/semantic/search.test.ts',
  'services/text/src/in-translation.test.ts',
];

/**
 * The tests whose answers depend on EXECUTION_STRATEGY and that tests/execution does not compare: failures, limits of
 * what is executed, the HTTP form of executed responses, and searches by meaning. They also run with
 * EXECUTION_STRATEGY=standard: Apollo Server and @apollo/gateway execute every operation.
 */
const standardTests = [
  'tests/distributed/distributed-graph.test.ts',
  'tests/distributed/subgraph-failures.test.ts',
  'tests/http/graphql-over-http.test.ts',
  'tests/limits/field-count.test.ts',
  'tests/limits/query-limits.test.ts',
  'tests/operations/http-examples.test.ts',
];

for (const file of [...onlyLongTests, ...dividedTests, ...standardTests])
  if (!existsSync(join(root, file))) throw new Error(`${import.meta.url} lists ${file}, which does not exist`);

const isLong = process.argv[2] === '--long';
const isStandard = process.argv[2] === '--standard';
if (isLong || isStandard) process.argv.splice(2, 1);
const isWhole = !isLong && !isStandard && process.argv.length === 2;
const report = join(root, 'node_modules', '.lectern', 'jest.json');
const seed = process.env['TEST_SEED'] ?? (isLong ? 'all' : '0');
const jestArguments = [
  ...(isLong ? [...onlyLongTests, ...dividedTests] : isStandard ? standardTests : []),
  ...(isWhole ? ['--testPathIgnorePatterns', '/node_modules/', ...onlyLongTests] : process.argv.slice(2)),
];

/**
 * @param {string} name
 * @param {string} file below the repository's root
 * @param {string[]} args
 */
const check = (name, file, ...args) => ({ name, file: join(root, file), args });

/**
 * Lets each test process fill 64 MB instead of 16 MB with short-lived objects before it collects them. The test processes
 * inherit the option. It saves 4 % of their processor time.
 */
const nodeArguments = ['--max-semi-space-size=64'];

const jest = check('Tests', 'node_modules/jest/bin/jest.js', '--json', `--outputFile=${report}`, ...jestArguments);
const checks = [
  check(
    'Types',
    'node_modules/typescript/bin/tsc',
    '--noEmit',
    '--incremental',
    '--tsBuildInfoFile',
    'node_modules/.lectern/types.json',
  ),
  check('Types of scripts', 'node_modules/typescript/bin/tsc', '--noEmit', '--project', 'tsconfig.scripts.json'),
  check('Types of the example', 'node_modules/typescript/bin/tsc', '--noEmit', '--project', 'examples/reader'),
  check('Format', 'node_modules/@biomejs/biome/bin/biome', 'ci', '.'),
  check('Lint', 'node_modules/oxlint/bin/oxlint', '--deny-warnings'),
  check('Words', 'scripts/check-words.mjs'),
  check('Prose', 'scripts/check-prose.mjs'),
  check(
    'Imports',
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    'packages',
    'services',
    'gateway',
    'examples',
    'tests',
    '--config',
    '.dependency-cruiser.cjs',
  ),
  check('Composition', 'scripts/compose-supergraph.mjs', '--check'),
  check('Schema', 'scripts/check-schema.mjs'),
];
const data = check('Data', 'scripts/run-compiled.mjs', 'packages/standalone/dist/data-main.js');

await runCommand({
  name: isLong ? 'npm run test:long --' : isStandard ? 'npm run test:standard --' : 'npm test --',
  description: isLong
    ? 'Runs the longest tests, and all checks of the divided tests.'
    : isStandard
      ? 'Runs the tests that depend on it with EXECUTION_STRATEGY=standard.'
      : 'Installs and builds what has changed, and runs all checks and the tests. Stops at the first that fails.',
  passesTo: 'jest',
  help: `An argument of jest is a path, such as services/text, or an option, such as --testNamePattern.
TEST_SEED=<integer> generates other operations and runs another share of the divided tests (default: 0); TEST_SEED=all runs all shares.
Exit status: 0 passed, 1 failed, 2 invalid command line.`,
  run: runChecks,
});

async function runChecks(_, ...args) {
  await prepare({ checks: true });
  rejectUnknownOptions(args);
  mkdirSync(join(root, 'node_modules', '.lectern'), { recursive: true });
  rmSync(report, { force: true });

  if (!isLong && !isStandard && !(await runInPairs([...checks]))) return 1;
  for (const { name, file, args } of isLong || isStandard ? [jest] : [data, jest]) {
    const startedAt = Date.now();
    process.stderr.write(`\n== ${name}${file === jest.file ? ` (TEST_SEED=${seed})` : ''}\n`);
    const { status } = spawnSync(process.execPath, [...(file === jest.file ? nodeArguments : []), file, ...args], {
      cwd: root,
      stdio: ['ignore', file === jest.file ? 'ignore' : 'inherit', 'inherit'],
      env: { ...process.env, TEST_SEED: seed, ...(isStandard && { EXECUTION_STRATEGY: 'standard' }) },
    });
    if (file === jest.file) printSummary();
    if (!printEnd(name, status, startedAt)) return 1;
  }
  return 0;
}

/** Runs the checks two at a time, on two cores. Resolves with false after the first that fails. */
async function runInPairs(/** @type {typeof checks} */ queue) {
  const runNext = async () => {
    for (let next = queue.shift(); next; next = queue.shift())
      if (!(await passes(next))) {
        queue.length = 0;
        return false;
      }
    return true;
  };
  const results = await Promise.all([runNext(), runNext()]);
  return !results.includes(false);
}

/** Runs a check, and prints its name and its output when it ends. Resolves with false if it fails. */
async function passes(/** @type {ReturnType<typeof check>} */ { name, file, args }) {
  const startedAt = Date.now();
  const child = spawn(process.execPath, [file, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  /** @type {Buffer[]} */
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const [status] = await once(child, 'close');
  process.stderr.write(`\n== ${name}\n${Buffer.concat(output)}`);
  return printEnd(name, status, startedAt);
}

/** Returns whether the check has passed. */
function printEnd(/** @type {string} */ name, /** @type {number | null} */ status, /** @type {number} */ startedAt) {
  process.stderr.write(
    status === 0 ? `   ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n` : `\n${name}: failed.\n`,
  );
  return status === 0;
}

/** Jest would reject an unknown option too, but only after the other checks have run for a minute. */
function rejectUnknownOptions(/** @type {string[]} */ args) {
  /** @type {{ yargsOptions: Record<string, { alias?: string }> }} */
  const { yargsOptions } = createRequire(import.meta.url)('jest-cli');
  const known = new Set(Object.entries(yargsOptions).flatMap(([name, { alias }]) => [name, alias]));
  const flags = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined).filter((arg) => /^-\D/.test(arg));
  for (const flag of flags) {
    const [, dashes, name = ''] = /^(--?)([^=.]*)/.exec(flag) ?? [];
    const inCamelCase = name.replace(/^no-/, '').replace(/-(.)/g, (_, letter) => letter.toUpperCase());
    if (!known.has(dashes === '-' ? name[0] : inCamelCase) && !known.has(name) && flag !== '--version')
      throw usageError(`Unknown option '${flag}' of jest. See --help, and npx jest --help.`);
  }
}

/** Prints the skipped tests and one line with the counts to standard output. */
function printSummary() {
  if (!existsSync(report))
    return void process.stdout.write('Jest exited before it wrote its report. Its output is above.\n');
  /**
   * @type {{ numPassedTests: number, numFailedTests: number, numPendingTests: number,
   * numFailedTestSuites: number, testResults: { assertionResults: { status: string,
   * ancestorTitles: string[], title: string }[] }[] }}
   */
  const results = JSON.parse(readFileSync(report, 'utf8'));
  const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites, testResults } = results;
  const tests = testResults.flatMap((file) => file.assertionResults);
  for (const { ancestorTitles, title } of tests.filter((test) => test.status === 'pending'))
    process.stdout.write(`skipped: ${[...ancestorTitles, title].join(' ')}\n`);
  if (numFailedTestSuites > 0 && numFailedTests === 0)
    process.stdout.write(`${numFailedTestSuites} test files could not run\n`);
  process.stdout.write(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped\n`);
  if (isWhole) process.stdout.write(`${onlyLongTests.length} more test files run with: npm run test:long\n`);
}
