import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Environment, Keys, Session } from '@lectern/keys';
import type { SubmittedForm } from '../forms/read-form';

/** A request of an operator who is signed in. */
export interface AdminContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly session: Session;
  readonly query: URLSearchParams;
  /** The id in the path; empty where the path has none. */
  readonly id: string;
  /** What was sent; empty for a GET. */
  readonly form: SubmittedForm;
  /** Whether mails are files that somebody has to send on. */
  readonly mailsToOutbox: boolean;
}

type Show = (visit: AdminContext) => void | Promise<void>;

/** What one path of an operator does. The pattern's group, where it has one, is the id. A POST comes from a page of this session. */
export interface AdminRoute {
  readonly pattern: RegExp;
  readonly get: Show;
  readonly post?: Show;
}

export interface AdminRouteOptions {
  readonly keys: Keys;
  readonly environment: Environment;
}

/** Ids are UUIDs; neither a key nor its last four characters are ever part of an address. */
export const idPattern = '([0-9a-f-]{36})';

/** Who acts, as the audit log has it: everybody who knows the password is one. */
export const operator = 'operator';
