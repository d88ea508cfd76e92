// Runs a benchmark of package.json: node bench/run.mjs FILE.
import { runCommand } from '../scripts/command-line.mjs';

/** @type {Record<string, { name: string, description: string, settings: string }>} */
const benchmarks = {
  'compare-gateways.mjs': {
    name: 'npm run bench --',
    description: 'Measures requests per second through Lectern and other gateways over the same subgraphs.',
    settings: 'ROUNDS, SECONDS, CONNECTIONS, GATEWAYS, OPERATIONS and others, which bench/README.md explains',
  },
  'full-text-search.mjs': {
    name: 'npm run bench:search --',
    description: 'Measures full-text search in the search subgraph, and compares it with plain SQLite FTS5.',
    settings: 'QUERIES, LECTERN_DATA',
  },
  'concordance.mjs': {
    name: 'npm run bench:concordance --',
    description: 'Measures pages of the concordance, and the time to build its index.',
    settings: 'ROUNDS',
  },
  'semantic-search.mjs': {
    name: 'npm run bench:semantic --',
    description: 'Measures the quality and the speed of semantic search, and compares the quality with the goals.',
    settings: 'QUESTIONS, LECTERN_DATA',
  },
};

const [file] = process.argv.splice(2, 1);
const { settings, ...definition } = benchmarks[file];

await runCommand({
  ...definition,
  help: `Needs \`npm run build\` and \`npm run data\`. Settings are environment variables: ${settings}.`,
  run: async () => {
    await import(`./${file}`);
    return Number(process.exitCode ?? 0);
  },
});
