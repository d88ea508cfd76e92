// Everything that has to hold, in the order in which a fault is cheapest to see: node scripts/test.mjs [arguments of jest].
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

await prepare({ checks: true });

const bin = (name) => join(root, 'node_modules', name);
const report = join(root, 'node_modules', '.lectern', 'jest.json');
const jestArguments = process.argv.slice(2);

const steps = [
  ['Types', bin('typescript/bin/tsc'), ['--noEmit']],
  ['Lint', bin('oxlint/bin/oxlint'), ['--deny-warnings']],
  [
    'Who imports whom',
    bin('dependency-cruiser/bin/dependency-cruise.mjs'),
    ['packages', 'services', 'gateway', 'tests', '--config', '.dependency-cruiser.cjs'],
  ],
  ['Composition', join(root, 'scripts/compose.mjs'), ['--check']],
  ['Schema', join(root, 'scripts/check-schema.mjs'), []],
  ['The texts', join(root, 'scripts/run.mjs'), ['packages/standalone/dist/data-main.js']],
  ['Tests', bin('jest/bin/jest.js'), ['--json', `--outputFile=${report}`, ...jestArguments]],
];

mkdirSync(join(root, 'node_modules', '.lectern'), { recursive: true });
rmSync(report, { force: true });

for (const [name, file, args] of steps) {
  const began = Date.now();
  process.stderr.write(`\n== ${name}\n`);
  const { status } = spawnSync(process.execPath, [file, ...args], {
    cwd: root,
    stdio: ['ignore', name === 'Tests' ? 'ignore' : 'inherit', 'inherit'],
  });
  if (name === 'Tests') summarise();
  if (status !== 0) {
    process.stderr.write(`\n${name}: failed.\n`);
    process.exit(1);
  }
  process.stderr.write(`   ${((Date.now() - began) / 1000).toFixed(1)} s\n`);
}

/** One plain line that people and CI read alike. */
function summarise() {
  if (!existsSync(report))
    return void process.stdout.write('The tests ended before their end; what is above says how far they came\n');
  const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  const skipped = testResults
    .flatMap((suite) => suite.assertionResults)
    .filter((result) => result.status === 'pending');
  for (const { fullName } of skipped) process.stdout.write(`skipped: ${fullName}\n`);
  if (numFailedTestSuites > 0 && numFailedTests === 0)
    process.stdout.write(`${numFailedTestSuites} test files could not run\n`);
  process.stdout.write(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped\n`);
}
