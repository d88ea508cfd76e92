import { errors } from '@lectern/errors';
import type { Grow } from '@lectern/execution';
import type { DocumentNode, GraphQLFormattedError, GraphQLSchema } from 'graphql';
import { GraphQLError, OverlappingFieldsCanBeMergedRule, parse, specifiedRules, validate } from 'graphql';
import { countTokens } from './count-tokens';
import type { QueryLimits } from './measure-operation';
import type { PreparedDocument } from './prepared-operation';
import type { Rejection } from './rejection';
import { errorWithCode, formatPublicError, rejected } from './rejection';
import { repeatsFieldsTooOften } from './repeats-fields-too-often';

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
  const { tokens, nesting, longestName } = countTokens(query, limits.tokens);
  if (tokens > limits.tokens) return rejected([formatPublicError(errors.tooManyTokens(limits.tokens))]);
  if (longestName > maxNameCharacters) return rejected([formatPublicError(errors.tooLongName(maxNameCharacters))]);
  if (nesting > maxNesting) return rejected([formatPublicError(errors.tooDeep(nesting, limits.depth))]);
  try {
    // The document is parsed without locations, because the chain of tokens takes most of a syntax
    // tree's memory. To report validation errors, the document is parsed again with locations.
    const document = parse(query, { noLocation: true });
    const validationErrors = validateDocument(schema, document, query);
    return validationErrors.length > 0
      ? rejected(validationErrors)
      : { kind: 'document', query, document, grow, operations: new Map() };
  } catch (error) {
    if (error instanceof GraphQLError) return rejected([errorWithCode(error, errors.parseFailed.code)]);
    throw error;
  }
}

/**
 * Returns the first validation errors of a document, with their locations. If the document repeats
 * a response name too often, the fields of one response name are not compared with each other,
 * because the comparison would block the event loop. Such a document is rejected even if it has no
 * other error.
 */
function validateDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  query: string,
): readonly GraphQLFormattedError[] {
  const isTooRepetitive = repeatsFieldsTooOften(document);
  const rules = isTooRepetitive ? rulesWithoutComparisons : specifiedRules;
  if (validate(schema, document, rules, { maxErrors: 1 }).length === 0)
    return isTooRepetitive ? [formatPublicError(errors.tooManyRepeatedFields())] : [];
  // After the maximum number of errors, graphql-js appends one more error, which says that
  // validation stopped. `slice` drops this error.
  return validate(schema, parse(query), rules, { maxErrors: maxValidationErrors })
    .slice(0, maxValidationErrors)
    .map((error) => errorWithCode(error, errors.validationFailed.code));
}
