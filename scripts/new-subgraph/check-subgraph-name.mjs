import { existsSync, readdirSync } from 'node:fs';
import { parse } from 'yaml';
import { failure, readText, usageError } from '../command-line.mjs';

const namePattern = /^[a-z]{2,30}$/;

/** Throws an error of one line if a new subgraph cannot have this name. */
export function checkSubgraphName(name) {
  if (!existsSync('supergraph.yaml'))
    throw failure('supergraph.yaml: no such file. Run the command in the root of the repository.');
  if (!namePattern.test(name))
    throw usageError(
      `${JSON.stringify(name)} cannot be the name of a subgraph. Use 2 to 30 lower-case letters, such as lexicon: the name becomes part of GraphQL names, host names and folders.`,
    );
  if (existsSync(`services/${name}`)) throw usageError(`services/${name} exists. Choose another name.`);
  const owner = usersOfNames().find(({ names }) => names.includes(name));
  if (owner) throw usageError(`The name ${name} is taken by ${owner.what}. Choose another name.`);
  for (const field of [`Query.${name}Verse`, `Verse.${name}Place`])
    if (existingFields().has(field))
      throw usageError(`The first fields of the subgraph would include ${field}, which exists. Choose another name.`);
}

/** Lists the names that a new subgraph cannot have, and what has these names already. */
function usersOfNames() {
  const compose = parse(readText('docker-compose.yml'), { merge: true });
  const stages = [...readText('Dockerfile').matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, stage]) => stage);
  const filesIn = (folder) => readdirSync(folder).map((file) => file.replace(/\.ya?ml$/, ''));
  return [
    { what: 'the gateway', names: ['gateway'] },
    { what: 'a package in packages/', names: readdirSync('packages') },
    { what: 'a package in tools/', names: readdirSync('tools') },
    { what: 'a stage of the Dockerfile', names: stages },
    {
      what: 'docker-compose.yml',
      names: ['services', 'networks', 'volumes'].flatMap((key) => Object.keys(compose[key])),
    },
    { what: 'a workflow in .github/workflows/', names: filesIn('.github/workflows') },
    { what: 'a manifest in deploy/kubernetes/', names: filesIn('deploy/kubernetes') },
    // `constructor` is a property of every JavaScript object, and `default` is a reserved word.
    { what: 'JavaScript', names: ['constructor', 'default'] },
  ];
}

/** Lists the fields of Query and Verse, as Type.field. */
function existingFields() {
  const supergraph = readText('supergraph.graphql');
  return new Set(
    ['Query', 'Verse'].flatMap((type) => {
      // oxlint-disable-next-line lectern/linear-time -- Only supergraph.graphql of this repository is read.
      const [, body = ''] = new RegExp(`^type ${type}\\b[^{]*\\{(.*?)^\\}`, 'ms').exec(supergraph) ?? [];
      return [...body.matchAll(/^  (\w+)[(:]/gm)].map(([, field]) => `${type}.${field}`);
    }),
  );
}
