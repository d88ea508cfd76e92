import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { subgraphCommand, subgraphNames } from './contenders.mjs';
import { installPeers, versionOf } from './install-peers.mjs';
import { answerOf } from './measure.mjs';
import { probe } from './operations.mjs';

const require = createRequire(import.meta.url);
const { openKeys, readPepper } = require('../../packages/keys/dist/index.js');
const { freePort } = require('../../packages/testing/dist/index.js');

/** Puts links to the texts into a folder, and a store of keys with one key. Its token. */
export async function prepareFolder(folder, dataDir) {
  for (const name of readdirSync(dataDir))
    if (/\.(sqlite|vec|words)$/.test(name) && name !== 'keys.sqlite')
      symlinkSync(join(dataDir, name), join(folder, name));
  const keys = openKeys({
    file: join(folder, 'keys.sqlite'),
    pepper: readPepper({ file: join(folder, 'key-pepper') }),
  });
  const { token } = await keys.issue({ email: 'bench@localhost', name: 'bench', environment: 'test' }, 'bench');
  await keys.close();
  return token;
}

/** The three subgraphs, each a process of its own at a free port. */
export const startSubgraphs = (processes, places) =>
  Promise.all(
    subgraphNames.map(async (name) => {
      const port = await freePort();
      const isUp = async () => {
        const { ok, status } = await fetch(`http://127.0.0.1:${port}/ready`);
        return ok ? null : `status ${status}`;
      };
      const subgraph = await processes.start(subgraphCommand(places, name, port), isUp).catch((error) => {
        throw new Error(`The ${name} subgraph did not start: ${error.message}`, { cause: error });
      });
      console.log(`${name} subgraph up`);
      return { ...subgraph, name, url: `http://127.0.0.1:${port}/graphql` };
    }),
  );

/** The committed supergraph with the addresses of these subgraphs. */
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

/** Those that come up, and why the others do not. */
export async function startContenders(processes, contenders, { peersFolder, token, tidy }) {
  const uninstalled = contenders.some(({ packages }) => packages.length > 0)
    ? await installPeers(peersFolder, processes)
    : null;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const running = [];
  const absent = {};
  for (const contender of contenders) {
    try {
      const missing = contender.packages.find((name) => versionOf(peersFolder, name) === null);
      if (missing) throw new Error(uninstalled ?? `${missing} is not among its packages`);
      const port = await freePort();
      const reachable = { ...contender, origin: `http://127.0.0.1:${port}`, headers };
      const child = await processes.start(contender.command(port), () => answerOf(reachable, probe).then(() => null));
      running.push({ ...reachable, ...child });
      console.log(`${contender.title} up`);
    } catch (error) {
      absent[contender.name] = tidy(error.message);
      console.log(`${contender.title}: ${absent[contender.name]}`);
    }
  }
  return { running, absent };
}
