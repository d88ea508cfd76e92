import type { PublicError } from '@lectern/errors';
import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import type { OperationCost } from './measure';

/** The rejection of a request that must not be executed, with the errors of the response. */
export interface Rejection {
  readonly kind: 'rejected';
  readonly errors: readonly GraphQLFormattedError[];
  /** The cost of an operation that is rejected because of its cost or its variables, else null. */
  readonly cost: OperationCost | null;
}

export const rejected = (errors: readonly GraphQLFormattedError[], cost: OperationCost | null = null): Rejection => ({
  kind: 'rejected',
  errors,
  cost,
});

/** Converts an error of graphql-js to an error of the response, with this code. */
export function errorWithCode(error: GraphQLError, code: string): GraphQLFormattedError {
  const { message, locations } = error.toJSON();
  return { message, ...(locations && { locations }), extensions: { code } };
}

export const formatPublicError = ({ message, extensions }: PublicError): GraphQLFormattedError => ({
  message,
  extensions,
});
