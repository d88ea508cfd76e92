import { errors } from '@lectern/errors';
import type { Grow } from '@lectern/execution';
import type { GraphQLFormattedError, GraphQLSchema } from 'graphql';
import { GraphQLError, OverlappingFieldsCanBeMergedRule, parse, specifiedRules, validate } from 'graphql';
import { checkComparisons } from './comparisons';
import { countTokens } from './count-tokens';
import type { QueryLimits } from './measure';
import type { PreparedDocument } from './operation';
import { parseForErrors } from './parse-for-errors-with-locations';
import type { Rejection } from './rejection';
import { errorWithCode, formatPublicError, rejected } from './rejection';

/**
 * The maximum depth of nested brackets, including brackets of lists and arguments. The parser and
 * the planner recurse into each bracket.
 */
export const maxNesting = 200;
/**
 * The maximum length of a name. A response repeats a field's name in each item of a list, so a long
 * name in a long list makes a huge response.
 */
const maxNameCharacters = 100;
/**
 * The maximum number of different fragments that a document spreads. graphql-js compares each pair
 * of fragments that one selection set spreads, and visits each fragment of a chain from each
 * fragment before it. 200 fragments in one selection set block the event loop for 15 to 30 ms. A
 * chain of 590 fragments blocked it for 60 to 90 ms.
 */
const maxSpreadFragments = 200;
const maxValidationErrors = 100;
const rulesWithoutComparisons = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule);

/**
 * Checks the size of a document, then parses and validates it. The limits that take the least time
 * come first. Depth and cost belong to an operation and are checked later, so that a client sees
 * the validation errors of the document first.
 */
export function prepareDocument(
  schema: GraphQLSchema,
  limits: QueryLimits,
  query: string,
  grow: Grow,
): PreparedDocument | Rejection {
  const { tokens, nesting, longestName, spreadFragments } = countTokens(query, limits.tokens);
  if (tokens > limits.tokens) return rejected([formatPublicError(errors.tooManyTokens(limits.tokens))]);
  if (longestName > maxNameCharacters) return rejected([formatPublicError(errors.tooLongName(maxNameCharacters))]);
  if (spreadFragments > maxSpreadFragments)
    return rejected([formatPublicError(errors.tooManyFragments(maxSpreadFragments))]);
  if (nesting > maxNesting) return rejected([formatPublicError(errors.tooDeep(nesting, limits.depth))]);
  try {
    const validationErrors = validateDocument(schema, query);
    if (validationErrors.length > 0) return rejected(validationErrors);
    // Only errors need locations. The document that is kept is parsed without them, because the chain
    // of tokens takes most of a syntax tree's memory.
    const document = parse(query, { noLocation: true });
    return { kind: 'document', query, document, grow, operations: new Map() };
  } catch (error) {
    if (error instanceof GraphQLError) return rejected([errorWithCode(error, errors.parseFailed.code)]);
    throw error;
  }
}

/**
 * Returns the first validation errors of a document, with their locations. If comparing the fields
 * of each response name would block the event loop, they are not compared. Such a document is
 * rejected even if it has no other error.
 */
function validateDocument(schema: GraphQLSchema, query: string): readonly GraphQLFormattedError[] {
  const { document, formatError } = parseForErrors(query);
  const tooExpensive = checkComparisons(document);
  const rules = tooExpensive ? rulesWithoutComparisons : specifiedRules;
  // After the maximum number of errors, graphql-js appends one more error, which says that
  // validation stopped. `slice` drops this error.
  const found = validate(schema, document, rules, { maxErrors: maxValidationErrors }).slice(0, maxValidationErrors);
  if (found.length === 0 && tooExpensive) return [formatPublicError(tooExpensive)];
  return found.map((error) => formatError(error, errors.validationFailed.code));
}
