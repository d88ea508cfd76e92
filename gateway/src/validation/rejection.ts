import type { PublicError } from '@lectern/errors';
import type { GraphQLFormattedError } from 'graphql';
import type { OperationCost } from './measure';

/** The rejection of a request that must not be executed, with the errors of the response. */
export interface Rejection {
  readonly kind: 'rejected';
  readonly errors: readonly GraphQLFormattedError[];
  /** The cost of an operation that was rejected because of its cost or its variables. Otherwise null. */
  readonly cost: OperationCost | null;
}

export const rejected = (errors: readonly GraphQLFormattedError[], cost: OperationCost | null = null): Rejection => ({
  kind: 'rejected',
  errors,
  cost,
});

export const rejectedWith = (error: PublicError, cost: OperationCost | null = null): Rejection =>
  rejected([formatPublicError(error)], cost);

export const formatPublicError = ({ message, extensions }: PublicError): GraphQLFormattedError => ({
  message,
  extensions,
});
