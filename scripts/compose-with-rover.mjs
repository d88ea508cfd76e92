// Composes supergraph.yaml with Apollo's Rover and compares the result with the committed supergraph.
import { parse as parseYaml } from 'yaml';
import { failure, readText, runCommand, usageError } from './command-line.mjs';
import { readSubgraphs } from './schema/compose-subgraphs.mjs';
import { composeWithRover, installRover } from './schema/rover-program.mjs';

await runCommand({
  name: 'npm run compose:rover --',
  description: 'Composes the subgraphs with Rover and compares the result with the committed supergraph.',
  options: [
    ['--stand-in', "run @apollo/composition of this repository in place of Rover's plugin, which is a download"],
    ['--install', 'install Rover and do nothing else'],
    ['--config <file>', 'list of the subgraphs', 'supergraph.yaml'],
    ['--supergraph <file>', 'the supergraph to compare with', 'supergraph.graphql'],
  ],
  help: `The first run installs Rover (tools/rover) into node_modules/.lectern.
Rover's plugin is under the Elastic License 2.0. Running this command accepts that license.
Exit status: 0 equal, 1 different or not composed, 2 invalid command line, 3 Rover could not be installed.`,
  run: ({ standIn = false, install = false, config, supergraph }) => {
    if (standIn && process.platform === 'win32')
      throw usageError(
        '--stand-in is a shell script, which Rover cannot run on Windows. Without it, Rover downloads its plugin.',
      );
    const program = installRover();
    if (install) {
      console.log(`Rover is installed: ${program}`);
      return 0;
    }
    const { status, supergraphSdl, output } = composeWithRover(program, {
      config,
      standIn,
      federationVersion: readFederationVersion(config),
    });
    if (status !== 0)
      throw failure(`rover supergraph compose --config ${config}: failed.`, ...(output === '' ? [] : [output]));
    if (withoutHeading(readText(supergraph)) !== supergraphSdl)
      throw failure(
        `Rover composes something else than ${supergraph} out of ${config}. Run \`npm run compose\` and commit the result.`,
      );
    const plugin = standIn ? ', with the stand-in for its plugin' : '';
    console.log(`${supergraph} is what Rover composes ${config} into${plugin}.`);
    return 0;
  },
});

/** Removes the first comment lines of supergraph.graphql. Rover writes no such lines. */
function withoutHeading(text) {
  return text.replace(/^(?:#.*\n)+/, '').trimEnd();
}

/** Reads federation_version. Throws unless it is exact: with another 2.x, Rover may compose differently. */
function readFederationVersion(config) {
  readSubgraphs(config);
  const [, version] = /^=(\d+\.\d+\.\d+)$/.exec(parseYaml(readText(config)).federation_version ?? '') ?? [];
  if (!version) throw failure(`${config}: federation_version must name one version, such as =2.14.4`);
  return version;
}
