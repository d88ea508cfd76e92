import { execFileSync } from 'node:child_process';
import { printSchema as printSubgraph, Supergraph } from '@apollo/federation-internals';
import { buildASTSchema, validateSchema } from 'graphql';
import { misuse, readText } from './command.mjs';
import { parseDocument } from './subgraphs.mjs';

/** What a tree is compared with: a file, or with `git:` the supergraph that a branch, tag or commit has. */
export function readReference(against) {
  const text = against.startsWith('git:') ? readFromGit(against.slice('git:'.length)) : readText(against, misuse);
  return { name: against, ...readSchema(text, against) };
}

/** The schema that clients see, of a supergraph or of an API schema; of a supergraph also what each subgraph gave to it. */
export function readSchema(text, name) {
  const document = parseDocument(text, name, misuse);
  return isSupergraph(document) ? fromSupergraph(text, name) : { schema: fromApiSchema(document, name), subgraphs: [] };
}

function fromSupergraph(text, name) {
  try {
    const supergraph = Supergraph.build(text);
    const subgraphs = [...supergraph.subgraphs()].map((subgraph) => ({
      name: subgraph.name,
      file: null,
      typeDefs: parseDocument(printSubgraph(subgraph.schema), name),
    }));
    return { schema: supergraph.apiSchema().toGraphQLJSSchema(), subgraphs };
  } catch (error) {
    throw misuse(`${name}: not a supergraph that can be read: ${error.message}`);
  }
}

function fromApiSchema(document, name) {
  try {
    const schema = buildASTSchema(document);
    const [wrong] = validateSchema(schema);
    if (wrong) throw wrong;
    return schema;
  } catch (error) {
    throw misuse(
      `${name}: neither a supergraph nor an API schema: ${error.message.split('\n')[0]} Give a supergraph.graphql, or the schema that clients see.`,
    );
  }
}

/** Every supergraph says which version of the join specification its directives are of. */
const isSupergraph = (document) =>
  document.definitions.some(
    ({ kind, directives = [] }) =>
      kind.startsWith('Schema') &&
      directives.some(({ arguments: given = [] }) => given.some(({ value }) => /\/join\/v/.test(value.value ?? ''))),
  );

const supergraphOf = (ref) => `${ref}:./supergraph.graphql`;

function readFromGit(ref) {
  if (ref === '') throw misuse('git: names no branch, tag or commit: write git:origin/main');
  if (git('rev-parse', '--git-dir') === null)
    throw misuse(`git:${ref}: this folder is not a git checkout. Compare with a file instead: --against FILE`);
  const commit = git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
  if (commit === null)
    throw misuse(`git:${ref}: no such branch, tag or commit here. Fetch it first, such as: git fetch origin main`);
  const text = git('show', supergraphOf(commit.trim()));
  if (text === null) throw misuse(`git:${ref}: that commit has no supergraph.graphql`);
  return text;
}

/** What git says, or null where it refuses. */
function git(...args) {
  try {
    return execFileSync('git', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    if (error.code === 'ENOENT') throw misuse('git is not installed. Compare with a file instead: --against FILE');
    return null;
  }
}
