// Replaces Rover's composition plugin, which Rover would have to download, so that tests need no network.
// Rover runs this program as `supergraph-vX compose FILE`. FILE lists the subgraphs with their schemas.
// Rover expects a Rust `Result` as JSON on standard output.
import { readFileSync } from 'node:fs';
import { composeServices } from '@apollo/composition';
import { parse as parseGraphQL } from 'graphql';
import { parse as parseYaml } from 'yaml';

const [, , , file] = process.argv;
const { subgraphs } = parseYaml(readFileSync(file, 'utf8'));
const services = Object.entries(subgraphs).map(([name, { routing_url: url, schema }]) => ({
  name,
  url,
  typeDefs: parseGraphQL(schema.sdl),
}));
const { supergraphSdl, errors, hints } = composeServices(services);

const withoutNodes = ({ message }, code) => ({ message, code, nodes: [], omittedNodesCount: 0 });
console.log(
  JSON.stringify(
    errors
      ? {
          Err: {
            build_errors: errors.map((error) => ({
              ...withoutNodes(error, error.extensions?.code ?? 'ERROR'),
              type: 'composition',
            })),
            is_config: false,
          },
        }
      : {
          Ok: {
            supergraphSdl,
            hints: hints
              .filter((hint) => hint.definition.level.name === 'WARN')
              .map((hint) => withoutNodes(hint, hint.definition.code)),
          },
        },
  ),
);
process.exitCode = errors ? 1 : 0;
