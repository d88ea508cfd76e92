// Composes the subgraphs of supergraph.yaml into supergraph.graphql. With --check, compares instead of writing.
import { writeFileSync } from 'node:fs';
import { failure, readText, runCommand } from './command-line.mjs';
import { composeSubgraphs, readSubgraphs, supergraphFile } from './schema/compose-subgraphs.mjs';

await runCommand({
  name: 'npm run compose --',
  description: 'Composes the subgraphs into one supergraph.',
  options: [
    ['--check', 'write nothing; fail if the committed supergraph differs from the composed one'],
    ['--config <file>', "list of the subgraphs, in Rover's format", 'supergraph.yaml'],
    ['--out <file>', 'the composed supergraph', 'supergraph.graphql'],
  ],
  help: 'Exit status: 0 success, 1 composition failed or the file differs, 2 invalid command line.',
  run: ({ check = false, config, out }) => {
    const subgraphs = readSubgraphs(config);
    const composed = supergraphFile(composeSubgraphs(subgraphs), config);
    if (!check) {
      writeFileSync(out, composed);
      const names = subgraphs.map(({ name }) => name).join(', ');
      console.log(`${out}: ${subgraphs.length} subgraph${subgraphs.length === 1 ? '' : 's'} (${names})`);
      return 0;
    }
    if (readText(out) !== composed)
      throw failure(`${out} differs from what ${config} composes into. Run \`npm run compose\` and commit the result.`);
    console.log(`${out} is up to date with ${config}.`);
    return 0;
  },
});
