import { spawnSync } from 'node:child_process';
import { usageError } from '../command-line.mjs';
import { installRover } from '../schema/rover-program.mjs';

/** The version of Hive's CLI. */
const hiveCli = '@graphql-hive/cli@0.66.0';

/**
 * Creates the registry that publishes to a target of Hive. Hive checks, composes and serves the supergraph from its CDN.
 *
 * @param {string} target
 * @param {NodeJS.ProcessEnv} env
 * @returns {import('./open-registry.mjs').HostedRegistry}
 */
export function publishToHive(target, env) {
  if (!env.HIVE_TOKEN) throw usageError('hive: needs HIVE_TOKEN, a registry access token.');
  const program = env.HIVE_CLI ? [env.HIVE_CLI] : ['npx', '--yes', hiveCli];
  return {
    name: `Hive ${target}`,
    publish: (subgraphs, { checkOnly }) =>
      runEach(subgraphs, ({ name, url, file }) => [
        ...program,
        ...(checkOnly ? ['schema:check'] : ['schema:publish', '--fail-on-composition-error', '--url', url]),
        '--service',
        name,
        ...(target === '' ? [] : ['--target', target]),
        file,
      ]),
  };
}

/**
 * Creates the registry that publishes to a graph of GraphOS. GraphOS checks, composes and serves the supergraph.
 *
 * @param {string} graphRef GRAPH@VARIANT
 * @param {NodeJS.ProcessEnv} env
 * @returns {import('./open-registry.mjs').HostedRegistry}
 */
export function publishToGraphos(graphRef, env) {
  if (!env.APOLLO_KEY) throw usageError('graphos: needs APOLLO_KEY, a key of the graph.');
  const program = env.ROVER ?? installRover();
  return {
    name: `GraphOS ${graphRef}`,
    publish: (subgraphs, { checkOnly }) =>
      runEach(subgraphs, ({ name, url, file }) => [
        program,
        'subgraph',
        checkOnly ? 'check' : 'publish',
        graphRef,
        '--name',
        name,
        '--schema',
        file,
        ...(checkOnly ? [] : ['--routing-url', url]),
      ]),
  };
}

/**
 * Runs a program for each subgraph until one run fails. Returns the exit status of the command: 1
 * if a run failed, otherwise 0.
 */
function runEach(subgraphs, commandFor) {
  const failed = subgraphs.find((subgraph) => {
    const [program, ...args] = commandFor(subgraph);
    return spawnSync(program, args, { stdio: 'inherit' }).status !== 0;
  });
  return failed ? 1 : 0;
}
