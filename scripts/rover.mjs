// Has Rover itself compose supergraph.yaml, and says whether the committed supergraph is what comes out.
import { parse as parseYaml } from 'yaml';
import { command, fault, misuse, readText } from './schema/command.mjs';
import { composeWithRover, installRover } from './schema/rover-program.mjs';
import { readSubgraphs } from './schema/subgraphs.mjs';

const usage = `Usage: npm run compose:rover [-- --stand-in] [--install] [--config FILE] [--supergraph FILE]
  --stand-in         in place of Rover's composition plugin, which is a download, run the @apollo/composition of this tree
  --install          install Rover and do nothing else
  --config FILE      the subgraphs (default supergraph.yaml)
  --supergraph FILE  what must come out (default supergraph.graphql)
Rover (tools/rover) is installed the first time and kept in node_modules/.lectern. Its plugin is under the Elastic License 2.0; running this accepts it.
Exit status: 0 equal, 1 different or not composed, 2 could not be asked like this, 3 Rover could not be installed.`;

const options = {
  'stand-in': { type: 'boolean', default: false },
  install: { type: 'boolean', default: false },
  config: { type: 'string', default: 'supergraph.yaml' },
  supergraph: { type: 'string', default: 'supergraph.graphql' },
};

await command({
  usage,
  options,
  run: ({ 'stand-in': standIn, install, config, supergraph }) => {
    if (standIn && process.platform === 'win32')
      throw misuse(
        '--stand-in is a shell script, which Rover cannot run on Windows. Leave it out, and Rover downloads its plugin.',
      );
    const program = installRover();
    if (install) {
      console.log(`Rover is installed: ${program}`);
      return 0;
    }
    const { status, supergraphSdl, said } = composeWithRover(program, {
      config,
      standIn,
      federationVersion: readFederationVersion(config),
    });
    if (status !== 0) throw fault(`rover supergraph compose --config ${config}: failed.`, ...(said ? [said] : []));
    if (withoutHeading(readText(supergraph)) !== supergraphSdl)
      throw fault(
        `Rover composes something else than ${supergraph} out of ${config}. Run \`npm run compose\` and commit the result.`,
      );
    console.log(
      `${supergraph} is what Rover composes ${config} into${standIn ? ', with the stand-in for its plugin' : ''}.`,
    );
    return 0;
  },
});

/** The heading names the file that was composed; Rover writes none. */
function withoutHeading(text) {
  return text.replace(/^#.*\n/, '').trimEnd();
}

/** Rover takes any 2.x where none is named, and another version may compose something else. */
function readFederationVersion(config) {
  readSubgraphs(config);
  const [, version] = /^=(\d+\.\d+\.\d+)$/.exec(parseYaml(readText(config)).federation_version ?? '') ?? [];
  if (!version) throw fault(`${config}: federation_version must name one version, as in =2.14.4`);
  return version;
}
