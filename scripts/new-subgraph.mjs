// Creates a subgraph: its folder in services/, and its entries in every file that lists the subgraphs.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { failure, runCommand } from './command-line.mjs';
import { generateHttpCollection } from './generate-http-collection.mjs';
import { subgraphsPage, withSubgraphs } from './list-subgraphs.mjs';
import { checkSubgraphName } from './new-subgraph/check-subgraph-name.mjs';
import { subgraphEntries } from './new-subgraph/shared-entries.mjs';
import { newSubgraphFiles } from './new-subgraph/subgraph-files.mjs';
import { describeSubgraph } from './new-subgraph/template-values.mjs';

await runCommand({
  name: 'npm run new:subgraph --',
  description:
    'Creates a subgraph that extends verses: a folder in services/, its container, manifests and workflow, and an entry in each file that lists the subgraphs.',
  arguments: [['<name>', '2 to 30 lower-case letters, such as lexicon']],
  help: `The command installs and compiles first if needed. It overwrites nothing that exists.
Exit status: 0 success, 1 a file does not look as expected, 2 the name cannot be used.`,
  run: async (_, name) => {
    checkSubgraphName(name);
    const subgraph = describeSubgraph(name);
    // Everything is computed before anything is written, so that a failure leaves no file half written.
    const created = newSubgraphFiles(subgraph);
    const changed = subgraphEntries(subgraph);
    for (const [file, text] of [...created, ...changed]) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    format([...created.keys(), ...changed.keys()]);
    runProgram('compose-supergraph.mjs', []);
    writeFileSync('docs/examples.http', await generateHttpCollection('services'));
    writeFileSync(subgraphsPage, withSubgraphs(readFileSync(subgraphsPage, 'utf8')));
    console.log(`Created:\n${listOf(created)}\n\nChanged:\n${listOf(changed)}\n  supergraph.graphql\n  docs/examples.http\n  ${subgraphsPage}

Next: npm test
Then replace Query.${name}Verse and Verse.${name}Place by fields of your own (CONTRIBUTING.md, "Adding a subgraph").`);
    return 0;
  },
});

function listOf(files) {
  return [...files.keys()].map((file) => `  ${file}`).join('\n');
}

/** Formats .ts and .json files and sorts their imports, as the format check demands. */
function format(files) {
  const sources = files.filter((file) => /\.(ts|json)$/.test(file) && file !== 'package-lock.json');
  runProgram('../node_modules/@biomejs/biome/bin/biome', ['check', '--write', ...sources]);
}

/** Runs a program whose path is relative to this file. */
function runProgram(file, args) {
  const program = fileURLToPath(new URL(file, import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  if (status !== 0) throw failure(`${stdout}${stderr}`.trim());
}
