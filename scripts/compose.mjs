// Composes the subgraphs of supergraph.yaml into supergraph.graphql, or with --check says whether that file is still what they compose into.
import { writeFileSync } from 'node:fs';
import { command, fault, readText } from './schema/command.mjs';
import { composeSubgraphs, readSubgraphs, supergraphFile } from './schema/subgraphs.mjs';

const usage = `Usage: npm run compose [-- --check] [--config FILE] [--out FILE]
  --check        write nothing; fail when the committed file differs from what the subgraphs compose into
  --config FILE  the subgraphs, in Rover's format (default supergraph.yaml)
  --out FILE     the composed supergraph (default supergraph.graphql)`;

const options = {
  check: { type: 'boolean', default: false },
  config: { type: 'string', default: 'supergraph.yaml' },
  out: { type: 'string', default: 'supergraph.graphql' },
};

await command({
  usage,
  options,
  run: ({ check, config, out }) => {
    const subgraphs = readSubgraphs(config);
    const composed = supergraphFile(composeSubgraphs(subgraphs), config);
    if (!check) {
      writeFileSync(out, composed);
      console.log(
        `${out}: ${subgraphs.length} subgraph${subgraphs.length === 1 ? '' : 's'} (${subgraphs.map(({ name }) => name).join(', ')})`,
      );
      return 0;
    }
    if (readText(out) !== composed)
      throw fault(`${out} is not what ${config} composes into. Run \`npm run compose\` and commit the result.`);
    console.log(`${out} is what ${config} composes into.`);
    return 0;
  },
});
