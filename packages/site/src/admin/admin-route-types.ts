import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Environment, Keys, Session } from '@lectern/keys';
import type { SubmittedForm } from '../forms/read-form';
import type { ReadKeyUsage } from './render-key-usage';

/** A request of a signed-in operator. */
export interface AdminContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly session: Session;
  readonly query: URLSearchParams;
  /** The id in the path; '' if the route's pattern has no group. */
  readonly id: string;
  /** The submitted form; every field is '' for a GET. */
  readonly form: SubmittedForm;
  /** Whether emails are written to the outbox folder, from which somebody has to send them. */
  readonly mailsToOutbox: boolean;
  readonly keyUsage: ReadKeyUsage;
}

export type AdminHandler = (context: AdminContext) => void | Promise<void>;

/**
 * The handlers of the paths that match `pattern`. If the pattern has a group, the text that the
 * group matches becomes the `id` of the context. The CSRF token is verified before `post` runs.
 */
export interface AdminRoute {
  readonly pattern: RegExp;
  readonly get: AdminHandler;
  readonly post?: AdminHandler;
}

export interface AdminRouteOptions {
  readonly keys: Keys;
  readonly environment: Environment;
}

/** Ids are UUIDs. Paths never contain a key or its last four characters. */
export const idPattern = '([0-9a-f-]{36})';

/** The actor in the audit log. Operators share one password, so the log cannot tell them apart. */
export const operator = 'operator';
