import { dirname, isAbsolute, join, normalize } from 'node:path';
import { composeServices } from '@apollo/composition';
import { parse as parseGraphQL, Source } from 'graphql';
import { parse as parseYaml } from 'yaml';
import { fault, readText } from './command.mjs';

/** The subgraphs that a file in Rover's format names, each with its schema read: `{ name, url, file, typeDefs }`. */
export function readSubgraphs(config) {
  const listed = readListed(config);
  const faults = listed.flatMap((subgraph) => subgraph.faults);
  if (listed.length === 0) faults.push(`${config}: no subgraphs`);
  if (faults.length > 0) throw fault(...faults);
  return listed.map(({ name, url, file }) => {
    const typeDefs = parseDocument(readText(file), file);
    const misnamed = misnamedRoots(typeDefs);
    if (misnamed.length > 0)
      throw fault(
        ...misnamed.map(
          ({ operation, usual, found }) =>
            `subgraph "${name}": its ${operation} type must be named ${usual}, not ${found}`,
        ),
      );
    return { name, url, file, typeDefs };
  });
}

/** Rover takes a misspelt routingUrl without a word and writes an empty address; here every key is known or refused. */
function readListed(config) {
  const yaml = parseConfig(config);
  const unknown = (where, object, keys) =>
    Object.keys(object ?? {})
      .filter((key) => !keys.includes(key))
      .map((key) => `${where}: unknown key "${key}" (known: ${keys.join(', ')})`);
  const atTop = unknown(config, yaml, ['federation_version', 'subgraphs']);
  if (atTop.length > 0) throw fault(...atTop);
  return Object.entries(yaml?.subgraphs ?? {}).map(([name, subgraph]) => {
    const faults = [
      ...unknown(`subgraph "${name}"`, subgraph, ['routing_url', 'schema']),
      ...unknown(`subgraph "${name}", schema`, subgraph?.schema, ['file']),
    ];
    const url = subgraph?.routing_url;
    if (typeof url !== 'string' || !isHttpUrl(url))
      faults.push(
        `subgraph "${name}": routing_url must be an http or https URL, and is ${JSON.stringify(url ?? null)}`,
      );
    const file = subgraph?.schema?.file;
    if (typeof file !== 'string') faults.push(`subgraph "${name}": schema.file must name its schema`);
    return {
      name,
      url,
      file: typeof file === 'string' ? normalize(isAbsolute(file) ? file : join(dirname(config), file)) : null,
      faults,
    };
  });
}

function parseConfig(config) {
  const text = readText(config);
  try {
    return parseYaml(text);
  } catch (error) {
    throw fault(`${config}: ${error.message}`);
  }
}

/** A GraphQL document whose nodes remember the file, so that a fault can be pointed at; a broken one is refused by file, line and column. */
export function parseDocument(text, file, problem = fault) {
  try {
    return parseGraphQL(new Source(text, file));
  } catch (error) {
    const { line, column } = error.locations?.[0] ?? { line: 1, column: 1 };
    throw problem(`${file}:${line}:${column}: ${error.message}`);
  }
}

/** The gateway hands a client's own operation to a subgraph that can answer it alone; its fragments name the root types. */
function misnamedRoots(typeDefs) {
  return typeDefs.definitions
    .filter(({ kind }) => kind.startsWith('Schema'))
    .flatMap(({ operationTypes = [] }) => operationTypes)
    .map(({ operation, type }) => ({
      operation,
      usual: operation[0].toUpperCase() + operation.slice(1),
      found: type.name.value,
    }))
    .filter(({ usual, found }) => usual !== found);
}

/** What the subgraphs compose into. A conflict names the lines that contradict each other; a warning is a fault too. */
export function composeSubgraphs(subgraphs) {
  const { supergraphSdl, errors, hints } = composeServices(subgraphs);
  if (errors)
    throw fault(
      'The subgraphs do not compose:',
      ...errors.flatMap((error) => describe(error.extensions?.code ?? 'ERROR', error.message, error.nodes)),
    );
  const warnings = (hints ?? []).filter((hint) => hint.definition.level.name === 'WARN');
  if (warnings.length > 0)
    throw fault(
      'Composition warns, and a warning is a fault here:',
      ...warnings.flatMap((hint) => describe(hint.definition.code, hint.message, hint.nodes)),
    );
  return supergraphSdl;
}

function describe(code, message, nodes) {
  const places = (nodes ?? [])
    .filter((node) => node.loc?.source.name)
    .map(
      (node) =>
        `${node.loc.source.name}:${(node.name ?? node).loc.startToken.line}${node.subgraph ? ` (${node.subgraph})` : ''}`,
    );
  return [`  ${code}: ${message}`, ...[...new Set(places)].map((place) => `    ${place}`)];
}

/** supergraph.graphql as it is committed. */
export const supergraphFile = (supergraphSdl, config) =>
  `# Composed by \`npm run compose\` from ${config}. Do not edit: change a subgraph's schema and compose again.\n${supergraphSdl}\n`;

function isHttpUrl(text) {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}
