import { readText } from '../command-line.mjs';
import { checkOperations } from './check-operations.mjs';
import { compareSchemas, mergeChanges } from './compare-schemas.mjs';
import { parseDocument } from './compose-subgraphs.mjs';
import { findDroppedFields } from './dropped-fields.mjs';
import { operationsWithMoreFetches } from './fetches.mjs';
import { readAllowedBreaks } from './read-allowed-breaks.mjs';
import { readSchema } from './read-reference-schema.mjs';
import { createSourceLineFinder } from './source-lines.mjs';
import { createIsUnsupportedRemoval } from './unsupported-fields.mjs';

export const contractFile = 'tests/contract.graphql';
export const operationsOfPackages = ['packages/client/documents.graphql', 'packages/mcp/documents.graphql'];
export const operationsFolder = 'tests/operations';
export const allowedBreaksFile = 'tests/allowed-breaks.yaml';

/**
 * Compares a composed supergraph with each reference schema, and validates the operations of clients
 * in `files`. `name` names the supergraph in messages. `maxGrowth` is how many fetches more an operation may need.
 * `now` is in milliseconds and decides which allowed breaks have expired.
 */
export async function checkChanges({ subgraphs, supergraphSdl, name, references, files, maxGrowth, now }) {
  const { schema, supergraph } = readSchema(supergraphSdl, name);
  const comparisons = await Promise.all(references.map((reference) => compareSchemas(reference, schema)));
  const findSourceLines = createSourceLineFinder(
    subgraphs,
    references.flatMap((reference) => reference.subgraphs),
  );
  const { allowedBreaks, errors } = readAllowedBreaks(allowedBreaksFile, now);
  const allowanceFor = (change) => allowedBreaks.find((allowance) => allowance.change === change.message) ?? null;

  const isUnsupportedRemoval = createIsUnsupportedRemoval(parseDocument(readText(contractFile), contractFile));
  const changes = mergeChanges(comparisons).map((change) => ({
    ...change,
    level: isUnsupportedRemoval(change) ? 'safe' : change.level,
    places: findSourceLines(change.path),
  }));
  const breaking = changes
    .filter(({ level }) => level === 'breaking')
    .map((change) => ({ ...change, allowed: allowanceFor(change) }));
  const operations = checkOperations(files, schema);
  const dropped = findDroppedFields(references, subgraphs);
  const moreFetches = operationsWithMoreFetches(references, supergraph, files, maxGrowth).map((each) => {
    const allowed = each.excess ? allowanceFor(each) : null;
    return { ...each, excess: each.excess && !allowed, allowed };
  });
  // Without --against, the contract is the only reference schema. It does not have all fields of the target
  // branch, so an allowance for a break of another field would wrongly be reported as unused.
  const unused =
    references.length === 1
      ? []
      : allowedBreaks.filter(
          (allowance) => ![...breaking, ...moreFetches].some(({ allowed }) => allowed === allowance),
        );
  return {
    passes:
      breaking.every(({ allowed }) => allowed) &&
      !moreFetches.some(({ excess }) => excess) &&
      operations.errors.length === 0 &&
      errors.length === 0,
    against: references.map(({ name }) => name),
    breaking,
    dangerous: changes.filter(({ level }) => level === 'dangerous'),
    safe: changes.filter(({ level }) => level === 'safe'),
    dropped: dropped.map((field) => ({ ...field, places: findSourceLines(field.path) })),
    maxFetchesGrowth: maxGrowth,
    moreFetches,
    operations,
    allowances: { errors, unused },
  };
}
