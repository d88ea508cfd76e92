import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { probe } from './benchmark-operations.mjs';
import { subgraphCommand, subgraphNames } from './gateways.mjs';
import { installOtherGateways, versionOf } from './install-other-gateways.mjs';
import { fetchResult } from './measure-gateway.mjs';

const require = createRequire(import.meta.url);
const { freePort } = require('../../packages/testing/dist/index.js');
const ownRoot = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Fills a folder with links to the data and a key store with one API key. Returns the key's token. `root` is the
 * checkout whose processes use the folder.
 */
export async function prepareFolder(folder, dataDir, root = ownRoot) {
  const { openKeys, readPepper } = require(join(root, 'packages', 'keys', 'dist', 'index.js'));
  for (const name of readdirSync(dataDir))
    if (/\.(sqlite|vec)$/.test(name) && name !== 'keys.sqlite') symlinkSync(join(dataDir, name), join(folder, name));
  symlinkSync(join(dataDir, 'translations'), join(folder, 'translations'));
  const keys = openKeys({
    file: join(folder, 'keys.sqlite'),
    pepper: readPepper({ setting: undefined, file: join(folder, 'key-pepper') }),
  });
  const { token } = await keys.issue({ email: 'bench@localhost', name: 'bench', environment: 'test' }, 'bench');
  await keys.close();
  return token;
}

/**
 * Starts the subgraphs, each as its own process at a free port. With `withMetrics`, each subgraph serves
 * its metrics at the port `metricsPort` of the result. `env` has more settings of the subgraphs.
 *
 * @param {ReturnType<typeof import('./child-processes.mjs').createProcesses>} processes
 * @param {{ root: string, dataDir: string, withMetrics?: boolean, env?: Record<string, string> }} options
 */
export const startSubgraphs = (processes, { withMetrics = false, env: moreEnv = {}, ...folders }) =>
  Promise.all(
    subgraphNames.map(async (name) => {
      const port = await freePort();
      const metricsPort = withMetrics ? await freePort() : null;
      const check = async () => {
        const { ok, status } = await fetch(`http://127.0.0.1:${port}/ready`);
        return ok ? null : `status ${status}`;
      };
      const { env, ...command } = subgraphCommand(folders, name, port);
      const metricsEnv = metricsPort === null ? {} : { METRICS_PORT: String(metricsPort) };
      const subgraph = await processes
        .start({ ...command, env: { ...env, ...moreEnv, ...metricsEnv } }, check)
        .catch((error) => {
          throw new Error(`The ${name} subgraph did not start: ${error.message}`, { cause: error });
        });
      console.log(`${name} subgraph is ready`);
      return { ...subgraph, name, url: `http://127.0.0.1:${port}/graphql`, metricsPort };
    }),
  );

/** Writes the committed supergraph with the URLs of these subgraphs. */
export function writeSupergraph(file, root, subgraphs) {
  const sdl = readFileSync(join(root, 'supergraph.graphql'), 'utf8');
  writeFileSync(
    file,
    sdl.replace(/(@join__graph\(name: "(\w+)", url: )"[^"]*"/g, (whole, before, name) => {
      const subgraph = subgraphs.find((each) => each.name === name);
      return subgraph ? `${before}${JSON.stringify(subgraph.url)}` : whole;
    }),
  );
}

/** Starts the gateways. Returns those that run, and for each other gateway the reason in `notStarted`. */
export async function startGateways(processes, gateways, { otherGatewaysFolder, token, withoutLocalPaths }) {
  const installError = gateways.some(({ packages }) => packages.length > 0)
    ? await installOtherGateways(otherGatewaysFolder, processes)
    : null;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const running = [];
  const notStarted = {};
  for (const gateway of gateways) {
    try {
      const missing = gateway.packages.find((name) => versionOf(otherGatewaysFolder, name) === null);
      if (missing) throw new Error(installError ?? `${missing} is not installed`);
      if (!gateway.program) throw new Error(`${gateway.setting} does not name its program`);
      const port = await freePort();
      const target = { ...gateway, origin: `http://127.0.0.1:${port}`, headers };
      const child = await processes.start({ program: gateway.program, ...gateway.command(port) }, () =>
        fetchResult(target, probe).then(() => null),
      );
      running.push({ ...target, ...child });
      console.log(`${gateway.title} is ready`);
    } catch (error) {
      notStarted[gateway.name] = withoutLocalPaths(error.message);
      console.log(`${gateway.title}: ${notStarted[gateway.name]}`);
    }
  }
  return { running, notStarted };
}
