import { operationFromDocument, printSchema } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import { Kind, parse, print, separateOperations, validate, visit } from 'graphql';
import { readText, usageError } from '../command-line.mjs';
import { parseDocument } from './compose-subgraphs.mjs';

/**
 * Without one shared field of one subgraph, each client operation needs at most 3 fetches more, except two that read
 * several translations under aliases: 5 and 17 more.
 */
const defaultMaxGrowth = 3;

/** The option of commands that call `checkChanges`, for `runCommand`. */
export const maxGrowthOption = /** @type {[string, string, string]} */ ([
  '--max-fetches-growth <n>',
  'fail if a client operation needs more than N fetches more than before',
  String(defaultMaxGrowth),
]);

/** Parses the value of the option. Throws a usageError. */
export function parseMaxGrowth(text) {
  if (!/^\d{1,6}$/.test(text))
    throw usageError(`--max-fetches-growth must be a whole number, 0 or more, and is '${text}'. See --help.`);
  return Number(text);
}

/**
 * Lists the client operations that need more fetches from subgraphs with `supergraph` than with the first reference
 * schema that has a supergraph. `excess` says whether `maxGrowth` more are not enough. `message` is what
 * tests/allowed-breaks.yaml names.
 *
 * @returns {{ file: string, line: number, operation: string | null, before: number, now: number, excess: boolean, message: string }[]}
 */
export function operationsWithMoreFetches(references, supergraph, files, maxGrowth) {
  const before = references.find((reference) => reference.supergraph !== null)?.supergraph;
  // Planning takes twice as long as the rest of the check, and additions cause no fetches.
  if (!before || isExtended(before, supergraph)) return [];
  const [counterBefore, counterNow] = [createFetchCounter(before), createFetchCounter(supergraph)];
  return files.flatMap((file) => {
    const document = parseDocument(readText(file), file);
    if ([counterBefore, counterNow].some(({ supports }) => !supports(document))) return [];
    return document.definitions
      .flatMap((definition) => (definition.kind === Kind.OPERATION_DEFINITION ? [definition] : []))
      .map(({ name, loc }) => ({
        file,
        line: loc?.startToken.line ?? 1,
        operation: name?.value ?? null,
        before: counterBefore.fetches(document, name?.value),
        now: counterNow.fetches(document, name?.value),
      }))
      .filter(({ before, now }) => now > before)
      .map((each) => ({
        ...each,
        excess: each.now - each.before > maxGrowth,
        message: `Operation '${each.operation ?? ''}' of ${file} needs ${each.now} fetches, ${each.before} before`,
      }));
  });
}

/** Returns whether `now` has everything that `before` says of types, their fields and the subgraphs that resolve them. */
function isExtended(before, now) {
  const after = new Set(resolvedParts(now));
  return resolvedParts(before).every((part) => after.has(part));
}

const resolvedParts = ({ schema }) =>
  parse(printSchema(schema)).definitions.flatMap((definition) => {
    if (!('fields' in definition)) return [];
    const { name, directives = [], fields = [] } = definition;
    return [...directives, ...fields].map(
      (node) =>
        `${name.value} ${print(visit(node, { StringValue: (_, key) => (key === 'description' ? null : undefined) }))}`,
    );
  });

function createFetchCounter(supergraph) {
  const planner = new QueryPlanner(supergraph);
  const apiSchema = supergraph.apiSchema();
  const graphqlSchema = apiSchema.toGraphQLJSSchema();
  return {
    supports: (document) => validate(graphqlSchema, document).length === 0,
    /**
     * Returns the number of fetches of an operation of a supported document. Federation checks all fragments of a
     * document with the variables of the operation, so it gets only the operation's own.
     */
    fetches(document, operationName) {
      const own = separateOperations(document)[operationName ?? ''] ?? document;
      return countFetches(planner.buildQueryPlan(operationFromDocument(apiSchema, own, { operationName })).node);
    },
  };
}

/** Counts the fetches of a plan node and of the nodes in it. */
function countFetches(node) {
  if (!node) return 0;
  const inside = [...(node.nodes ?? []), node.node, node.ifClause, node.elseClause].filter(Boolean);
  return inside.reduce((sum, each) => sum + countFetches(each), node.kind === 'Fetch' ? 1 : 0);
}
