import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { composeServices } from '@apollo/composition';
import { parse as parseGraphQL, Source } from 'graphql';
import { parse as parseYaml } from 'yaml';
import { failure, readText } from '../command-line.mjs';
import { typeClashes } from './type-clashes.mjs';

const require = createRequire(import.meta.url);

/** Reads the subgraphs that a file in Rover's format lists: `{ name, url, file, typeDefs }` for each. */
export function readSubgraphs(config) {
  const listed = readSubgraphList(config);
  const errors = listed.flatMap((subgraph) => subgraph.errors);
  if (listed.length === 0) errors.push(`${config}: no subgraphs`);
  if (errors.length > 0) throw failure(...errors);
  return listed.map(({ name, url, file }) => {
    return { name, url, file, typeDefs: parseSubgraph(name, readText(file), file) };
  });
}

/**
 * Parses the schema of a subgraph. Throws a failure if it has a syntax error, or renames a root
 * type.
 */
export function parseSubgraph(name, text, file) {
  const typeDefs = parseDocument(text, file);
  const misnamed = misnamedRootTypes(typeDefs);
  if (misnamed.length > 0)
    throw failure(
      ...misnamed.map(
        ({ operation, expected, actual }) =>
          `subgraph "${name}": its ${operation} type must be named ${expected}, not ${actual}`,
      ),
    );
  return typeDefs;
}

/**
 * Reads the list of subgraphs, each with its `errors`. An unknown key is an error, because Rover
 * ignores a misspelt key, such as `routingUrl` for `routing_url`, and writes an empty URL.
 */
function readSubgraphList(config) {
  const yaml = parseConfig(config);
  const unknown = (where, object, keys) =>
    Object.keys(object ?? {})
      .filter((key) => !keys.includes(key))
      .map((key) => `${where}: unknown key "${key}" (known: ${keys.join(', ')})`);
  const atTop = unknown(config, yaml, ['federation_version', 'subgraphs']);
  if (atTop.length > 0) throw failure(...atTop);
  return Object.entries(yaml?.subgraphs ?? {}).map(([name, subgraph]) => {
    const errors = [
      ...unknown(`subgraph "${name}"`, subgraph, ['routing_url', 'schema']),
      ...unknown(`subgraph "${name}", schema`, subgraph?.schema, ['file']),
    ];
    const url = subgraph?.routing_url;
    if (typeof url !== 'string' || !isHttpUrl(url))
      errors.push(
        `subgraph "${name}": routing_url must be an http or https URL, and is ${JSON.stringify(url ?? null)}`,
      );
    const file = subgraph?.schema?.file;
    if (typeof file !== 'string') errors.push(`subgraph "${name}": schema.file must name its schema`);
    return {
      name,
      url,
      file: typeof file === 'string' ? normalize(isAbsolute(file) ? file : join(dirname(config), file)) : '',
      errors,
    };
  });
}

function parseConfig(config) {
  const text = readText(config);
  try {
    return parseYaml(text);
  } catch (error) {
    throw failure(`${config}: ${error.message}`);
  }
}

/**
 * Parses a GraphQL document. Its nodes carry the file name for error messages.
 * Throws `createError` (failure or usageError) with file, line and column of a syntax error.
 */
export function parseDocument(text, file, createError = failure) {
  try {
    return parseGraphQL(new Source(text, file));
  } catch (error) {
    const { line, column } = error.locations?.[0] ?? { line: 1, column: 1 };
    throw createError(`${file}:${line}:${column}: ${error.message}`);
  }
}

/**
 * Finds root types with other names than `Query` and `Mutation`. The gateway may send a client's
 * operation unchanged to a subgraph, and fragments in the operation name the root types.
 */
function misnamedRootTypes(typeDefs) {
  return typeDefs.definitions
    .filter(({ kind }) => kind.startsWith('Schema'))
    .flatMap(({ operationTypes = [] }) => operationTypes)
    .map(({ operation, type }) => ({
      operation,
      expected: operation[0].toUpperCase() + operation.slice(1),
      actual: type.name.value,
    }))
    .filter(({ expected, actual }) => expected !== actual);
}

/** Composes the subgraphs and returns the supergraph SDL. Throws the conflicts and warnings with their schema lines, and costs that cannot be computed. */
export function composeSubgraphs(subgraphs) {
  const { supergraphSdl, errors, hints } = composeServices(subgraphs);
  if (errors) throw failure('The subgraphs do not compose:', ...describeErrors(errors, subgraphs));
  const warnings = (hints ?? []).filter((hint) => hint.definition.level.name === 'WARN');
  if (warnings.length > 0)
    throw failure(
      'Composition warnings are errors here:',
      ...warnings.flatMap((hint) => describe(hint.definition.code, hint.message, hint.nodes)),
    );
  try {
    // Other functions here need no build.
    require('../../gateway/dist/validation/field-costs.js').readFieldCosts(parseGraphQL(supergraphSdl));
  } catch (error) {
    throw failure(`The subgraphs do not compose: ${error.message}`);
  }
  return supergraphSdl;
}

/** Describes the errors. One sentence for each type that two teams named alike replaces all errors about the type. */
function describeErrors(errors, subgraphs) {
  const isAbout = (error, { type }) => new RegExp(`"${type}[".]`).test(error.message);
  const clashes = typeClashes(subgraphs).filter((clash) => errors.some((error) => isAbout(error, clash)));
  const others = errors.filter((error) => !clashes.some((clash) => isAbout(error, clash)));
  const where = ({ subgraph, node }) => `subgraph "${subgraph}" (${place(node)})`;
  return [
    ...clashes.map(
      ({ type, one, other }) =>
        `  The type ${type} of ${where(other)} exists in ${where(one)}: rename it, or share it: the same @key in both, or @shareable on its fields.`,
    ),
    ...others.flatMap((error) => describe(error.extensions?.code ?? 'ERROR', error.message, error.nodes)),
  ];
}

const place = (node) => `${node.loc.source.name}:${(node.name ?? node).loc.startToken.line}`;

function describe(code, message, nodes) {
  const places = (nodes ?? [])
    .filter((node) => node.loc?.source.name)
    .map((node) => `${place(node)}${node.subgraph ? ` (${node.subgraph})` : ''}`);
  return [`  ${code}: ${message}`, ...[...new Set(places)].map((each) => `    ${each}`)];
}

/** Formats the committed file supergraph.graphql. */
export function supergraphFile(supergraphSdl, config) {
  const heading = `Composed by \`npm run compose\` from ${config}. Do not edit: change a subgraph's schema and compose again.`;
  return withHeading(supergraphSdl, heading);
}

/** Adds the heading of a supergraph file: a comment of one line. */
export const withHeading = (supergraphSdl, heading) => `# ${heading}\n${supergraphSdl}\n`;

function isHttpUrl(text) {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}
