import { setTimeout as sleep } from 'node:timers/promises';
import { failure } from '../command-line.mjs';
import { composeSubgraphs, parseSubgraph, withHeading } from '../schema/compose-subgraphs.mjs';

/**
 * The content of the file `schemas.json`, which a registry publishes. The file `supergraph.graphql` is composed from it.
 * `previous` is the time of the state that a rollback restores, and `replaced` that of the state that was published
 * before, which differ after a rollback. `restored` is the time of the state that a rollback published again. The files
 * in `history/` have all earlier states.
 *
 * @typedef {{ version: string, routingUrl: string, schema: string }} PublishedSubgraph
 * @typedef {{ published: string, previous: string | null, replaced?: string | null, restored?: string, subgraphs: Record<string, PublishedSubgraph> }} Published
 */

const listFile = 'schemas.json';
const supergraphFile = 'supergraph.graphql';
const maxAttempts = 20;
const maxBackoffMs = 500;

/** The file of an earlier state. It has no colons, which some systems do not allow in file names. */
const historyFile = (published) => `history/${published.replaceAll(':', '-')}.json`;

/** @param {import('./open-registry.mjs').FileStore} store */
export async function readPublished(store) {
  const found = await store.read(listFile);
  return found && { state: parseState(found.text, `${store.name}: ${listFile}`), version: found.version };
}

/** @param {import('./open-registry.mjs').FileStore} store @param {string} published */
export async function readEarlier(store, published) {
  const file = historyFile(published);
  const found = await store.read(file);
  if (!found) throw failure(`${store.name}: ${file}: nothing was published then. List the times with --list.`);
  return parseState(found.text, `${store.name}: ${file}`);
}

/**
 * Replaces the published schemas, and composes and publishes the supergraph. If two processes publish
 * at the same time, the later one begins again with the result of the earlier one, so no change is
 * lost. Also repairs an old supergraph that an interrupted call left behind.
 *
 * @param {import('./open-registry.mjs').FileStore} store
 * @param {object} options
 * @param {(state: Published | null) => Published | null} options.change returns the new state, or the same one
 * @param {(change: { subgraphs: object[], supergraphSdl: string, live: string | null }) => Promise<void>} [options.check] throws if the change must not be published
 * @param {boolean} [options.checkOnly] whether nothing is written
 * @param {string} options.message the message of a commit
 * @returns {Promise<{ state: Published, isChanged: boolean }>}
 */
export async function replacePublished(store, { change, check, checkOnly = false, message }) {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const [found, live] = [await readPublished(store), await store.read(supergraphFile)];
    const before = found?.state ?? null;
    const state = change(before);
    if (!state) throw failure(`${store.name}: nothing is published.`);
    const { subgraphs, supergraphSdl, text } = composePublished(state);
    const isChanged = state !== before;
    if (isChanged) await check?.({ subgraphs, supergraphSdl, live: live?.text ?? null });
    const files = [
      // The earlier state is stored before it is replaced.
      ...(isChanged && before ? [{ file: historyFile(before.published), text: formatState(before) }] : []),
      ...(isChanged ? [{ file: listFile, text: formatState(state), version: found?.version ?? null }] : []),
      ...(live?.text === text ? [] : [{ file: supergraphFile, text, version: live?.version ?? null }]),
    ];
    if (checkOnly || files.length === 0 || (await store.write(files, message))) return { state, isChanged };
    await sleep(Math.random() * maxBackoffMs);
  }
  throw failure(`${store.name}: others published ${maxAttempts} times meanwhile. Run the command again.`);
}

/** Returns the time of the new state: now, or just after `published` if another machine's clock was ahead. */
export const nextTime = (published, now) =>
  new Date(Math.max(now, published === null ? 0 : Date.parse(published) + 1)).toISOString();

/** @param {Published} state */
function composePublished({ published, subgraphs }) {
  const parsed = Object.entries(subgraphs).map(([name, { schema, routingUrl }]) => ({
    name,
    url: routingUrl,
    file: `${name}.graphql`,
    typeDefs: parseSubgraph(name, schema, `${name}.graphql`),
  }));
  const supergraphSdl = composeSubgraphs(parsed);
  const versions = Object.entries(subgraphs).map(([name, { version }]) => `${name} ${version}`);
  const heading = `Published ${published} by \`npm run publish:schema\`: ${versions.join(', ')}.`;
  return { subgraphs: parsed, supergraphSdl, text: withHeading(supergraphSdl, heading) };
}

const formatState = (state) => `${JSON.stringify(state, null, 2)}\n`;

function parseState(text, name) {
  try {
    const state = JSON.parse(text);
    const isSubgraph = (each) =>
      [each?.version, each?.routingUrl, each?.schema].every((member) => typeof member === 'string');
    if (
      !Number.isNaN(Date.parse(state.published)) &&
      (state.previous === null || typeof state.previous === 'string') &&
      Object.values(state.subgraphs).every(isSubgraph)
    )
      return state;
  } catch {
    // Malformed JSON is reported by the error below, like JSON of another form.
  }
  throw failure(
    `${name} was not written by npm run publish:schema. It begins with ${JSON.stringify(text.slice(0, 40))}.`,
  );
}
