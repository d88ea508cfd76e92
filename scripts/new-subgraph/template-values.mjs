import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { readText } from '../command-line.mjs';
import { readSubgraphs } from '../schema/compose-subgraphs.mjs';
import { fillTemplate } from './fill-templates.mjs';

const { verseId } = createRequire(import.meta.url)('../../packages/canon/dist/index.js');

/**
 * Returns what the templates and entries of a new subgraph need: the values of placeholders, the
 * package.json, and the last subgraph of supergraph.yaml, after which the new subgraph is listed.
 */
export function describeSubgraph(name) {
  const subgraphs = readSubgraphs('supergraph.yaml');
  const ports = subgraphs.map(({ url }) => Number(new URL(url).port));
  const manifest = JSON.parse(fillTemplate('service/package.json', { name }));
  const packages = packageFolders(Object.keys(manifest.dependencies));
  const values = {
    name,
    Name: `${name[0].toUpperCase()}${name.slice(1)}`,
    port: String(Math.max(...ports) + 1),
    data: 'the data files of all subgraphs; this one reads none',
    verseId: verseId({ translation: 'eng-web', book: 'JHN', chapter: 3, verse: 16 }),
    ...verseDescriptions(subgraphs[0]),
    copies: [...packages, `services/${name}`]
      .map((folder) => `COPY --from=build /built/${folder} ${folder}`)
      .join('\n'),
    packagePaths: [`services/${name}`, ...packageFolders([...packages.map(packageName), '@lectern/testing'])]
      .map((folder) => `      - ${folder}/**`)
      .join('\n'),
  };
  const last = subgraphs[subgraphs.length - 1];
  return { ...values, values, manifest, last: last.name, lastPort: String(new URL(last.url).port) };
}

const packageName = (folder) => `@lectern/${folder.replace(/^\w+\//, '')}`;

/** Lists the folders of these packages and of the packages of this repository that they depend on. */
function packageFolders(names) {
  const folders = new Set();
  const visit = (name) => {
    const folder = `packages/${name.replace('@lectern/', '')}`;
    if (!name.startsWith('@lectern/') || folders.has(folder) || !existsSync(`${folder}/package.json`)) return;
    folders.add(folder);
    Object.keys(JSON.parse(readText(`${folder}/package.json`)).dependencies ?? {}).forEach(visit);
  };
  names.forEach(visit);
  return [...folders].sort();
}

/** Returns the descriptions of Verse and Verse.id, which are the same in each subgraph. */
function verseDescriptions({ typeDefs }) {
  const verse = typeDefs.definitions.find(({ name }) => name?.value === 'Verse');
  const id = verse.fields.find(({ name }) => name.value === 'id');
  return { verseDescription: verse.description.value, verseIdDescription: id.description.value };
}
