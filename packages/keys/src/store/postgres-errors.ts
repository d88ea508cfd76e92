import { KeyRequestError, KeyStoreUnavailableError } from '../keys-types';

/** The code `read_only_sql_transaction`: the server is a standby, or accepts no changes. */
const readOnly = '25006';

/**
 * The code `protocol_violation`. PgBouncer rejects connections with it for any reason, such as a
 * startup parameter that it does not accept or a database that it does not know.
 */
const protocolViolation = '08P01';

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)) || codeOf(error);

/** Creates the error of a connection to a standby server. */
export const createStandbyError = (): Error =>
  Object.assign(new Error('the server is a standby, which may not know the latest revocations'), { code: readOnly });

/**
 * Returns true if the database is unavailable.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html: class 08 is connection
 * exceptions, 28 a rejected user, 40 a conflict with another transaction, 53 insufficient
 * resources, 57P operator intervention such as a shutdown. 25P03, 55P03 and 57014 are the server's
 * timeouts. Errors of the server are recognized by code, because their messages are in the server's
 * language.
 */
const isUnavailable = (error: unknown): boolean =>
  /^(08|28|40|53|57P|25P03|55P03|57014)/.test(codeOf(error)) ||
  /^E[A-Z]+$/.test(codeOf(error)) ||
  /connection terminated|not queryable|timeout|no response within/i.test(messageOf(error));

/**
 * Returns true if an open connection broke. Returns false if the server refuses connections or does
 * not respond.
 */
export const isBrokenConnection = (error: unknown): boolean =>
  /^(57P0[12]|ECONNRESET|EPIPE)$/.test(codeOf(error)) ||
  /connection terminated unexpectedly|not queryable/i.test(messageOf(error));

/**
 * Returns an error for the operator that names the database without its password. Returns a
 * KeyRequestError unchanged.
 */
export function describeError(error: unknown, location: string): unknown {
  if (error instanceof KeyRequestError) return error;
  if (codeOf(error) === readOnly)
    return new KeyStoreUnavailableError(
      `The key store at ${location} is read-only (${messageOf(error)}). DATABASE_URL must lead to the primary server.`,
      { cause: error },
    );
  if (codeOf(error) === protocolViolation)
    return new KeyStoreUnavailableError(
      `The key store at ${location} rejected the connection: ${messageOf(error)}. docs/operating.md says what PgBouncer needs.`,
      { cause: error },
    );
  if (isUnavailable(error))
    return new KeyStoreUnavailableError(
      `The key store at ${location} does not respond (${messageOf(error)}). Check that PostgreSQL runs there and that DATABASE_URL is right.`,
      { cause: error },
    );
  return new Error(`The key store at ${location} cannot be used (${messageOf(error)}).`, { cause: error });
}

/**
 * Returns host, port and database name, without the password. Throws if DATABASE_URL is not a
 * PostgreSQL URL.
 */
export function databaseLocation(url: string): string {
  const parsed = /^postgres(ql)?:\/\//.test(url) && URL.canParse(url) ? new URL(url) : null;
  if (!parsed)
    throw new Error(
      'DATABASE_URL must be a URL such as postgres://user:password@host:5432/lectern, with special characters in the password percent-encoded.',
    );
  return `${parsed.host}${parsed.pathname}`;
}
