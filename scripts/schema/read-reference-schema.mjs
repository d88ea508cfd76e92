import { execFileSync } from 'node:child_process';
import { printSchema as printSubgraph, Supergraph } from '@apollo/federation-internals';
import { buildASTSchema, validateSchema } from 'graphql';
import { readText, usageError } from '../command-line.mjs';
import { parseDocument } from './compose-subgraphs.mjs';

/** Reads the schema to compare with: a file, or for `git:REF` the supergraph.graphql of a branch, tag or commit. */
export function readReferenceSchema(against) {
  const text = against.startsWith('git:') ? readFromGit(against.slice('git:'.length)) : readText(against, usageError);
  return { name: against, ...readSchema(text, against) };
}

/**
 * Reads a supergraph or an API schema.
 * Returns the schema that clients see, and for a supergraph also the supergraph and the definitions of each subgraph.
 */
export function readSchema(text, name) {
  const document = parseDocument(text, name, usageError);
  return isSupergraph(document)
    ? fromSupergraph(text, name)
    : { schema: fromApiSchema(document, name), supergraph: null, subgraphs: [] };
}

function fromSupergraph(text, name) {
  try {
    const supergraph = Supergraph.build(text);
    const subgraphs = [...supergraph.subgraphs()].map((subgraph) => ({
      name: subgraph.name,
      file: null,
      typeDefs: parseDocument(printSubgraph(subgraph.schema), name),
    }));
    return { schema: supergraph.apiSchema().toGraphQLJSSchema(), supergraph, subgraphs };
  } catch (error) {
    throw usageError(`${name}: not a valid supergraph: ${error.message}`);
  }
}

function fromApiSchema(document, name) {
  try {
    const schema = buildASTSchema(document);
    const [schemaError] = validateSchema(schema);
    if (schemaError) throw schemaError;
    return schema;
  } catch (error) {
    throw usageError(
      `${name}: neither a supergraph nor an API schema: ${error.message.split('\n')[0]} Pass a supergraph.graphql or an API schema.`,
    );
  }
}

/** A supergraph links the join specification, an API schema does not. */
const isSupergraph = (document) =>
  document.definitions.some(
    ({ kind, directives = [] }) =>
      kind.startsWith('Schema') &&
      directives.some(({ arguments: args = [] }) => args.some(({ value }) => /\/join\/v/.test(value.value ?? ''))),
  );

const supergraphOf = (ref) => `${ref}:./supergraph.graphql`;

function readFromGit(ref) {
  if (ref === '') throw usageError('git: names no branch, tag or commit. Example: git:origin/main');
  if (git('rev-parse', '--git-dir') === null)
    throw usageError(`git:${ref}: this folder is not a git checkout. Compare with a file instead: --against FILE`);
  const commit = git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
  if (commit === null)
    throw usageError(`git:${ref}: no such branch, tag or commit here. Fetch it first, such as: git fetch origin main`);
  const text = git('show', supergraphOf(commit.trim()));
  if (text === null) throw usageError(`git:${ref}: that commit has no supergraph.graphql`);
  return text;
}

/** Runs git and returns its output, or null if git exits with an error. */
function git(...args) {
  try {
    return execFileSync('git', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    if (error.code === 'ENOENT') throw usageError('git is not installed. Compare with a file instead: --against FILE');
    return null;
  }
}
