import { randomUUID } from 'node:crypto';
import { errorMessage, type Logger } from '@lectern/serving';
import type { OutcomeEmails } from './email';
import { describeKey, type KeyIssuer } from './issue-key';
import type { KeyStore, NewRequest, SqlScript } from './store/queries';
import {
  decideRequest,
  insertAudit,
  insertRequest,
  resetDelivery,
  selectActiveKey,
  selectKeysMatching,
  selectPendingRequest,
  selectRequest,
  selectRequests,
  updateDelivery,
} from './store/queries';
import { digestOf } from './token';
import { type AllowedDocuments, type KeyRequest, KeyRequestError, type RequestState } from './types';
import { normalizeEmail, toSafeLine, validateEmail, validateName, validateText } from './validation';

export interface KeysDependencies {
  store: KeyStore;
  pepper: string;
  emails: OutcomeEmails;
  now: () => Date;
  log: Logger;
}

/** A decided key request whose outcome must be emailed. The token is null for a rejection. */
type Outcome = { request: KeyRequest; token: string | null };

const maxErrorCharacters = 200;

/** A digest that no key has. With it, `selectKeysMatching` finds a key by its id only. */
const noDigest = Buffer.alloc(0);

function* findRequest(id: string): SqlScript<KeyRequest> {
  // PostgreSQL rejects a text with NUL, which no id contains.
  const request = id.includes('\0') ? null : yield* selectRequest(id);
  if (!request) throw new KeyRequestError(`No request has the id '${id.slice(0, 40)}'. See: npm run keys -- requests`);
  return request;
}

/**
 * Stores a request. Writes one audit entry in any case, so that the time does not reveal whether an address is known.
 */
function* submitScript(row: NewRequest): SqlScript<void> {
  const activeKey = yield* selectActiveKey(row.address, row.environment, row.createdAt);
  const isInserted = !activeKey && (yield* insertRequest(row)) !== null;
  const pending = yield* selectPendingRequest(row.address, row.environment);
  const present = activeKey ? 'has a key' : 'has a pending request';
  const note = isInserted ? `by ${row.email}` : `${row.email} submitted the form again, and ${present}`;
  const [keyId, requestId] = [activeKey?.id ?? null, pending?.id ?? null];
  yield* insertAudit({ at: row.createdAt, by: 'form', act: 'request', keyId, requestId, note });
}

function* decide(id: string, decision: Parameters<typeof decideRequest>[1]): SqlScript<KeyRequest> {
  const request = yield* decideRequest(id, decision);
  if (request) return request;
  const { state, decidedAt, decidedBy } = yield* findRequest(id);
  throw new KeyRequestError(`This request was ${state} already, by ${decidedBy} at ${decidedAt}.`);
}

/** A form submits a key request, an operator approves or rejects it, and an email tells the applicant the outcome. */
export function createKeyRequests({ store, pepper, emails, now, log }: KeysDependencies, issuer: KeyIssuer) {
  const nowText = () => now().toISOString();

  function* approveScript(id: string, by: string, documents: AllowedDocuments): SqlScript<Outcome> {
    const at = nowText();
    const { environment, email, name } = yield* findRequest(id);
    const limits = { requestsPerDay: null, requestsPerMinute: null, addresses: null };
    const issued = issuer.generate({ environment, email, name, documents, grants: '', expiresAt: null, ...limits }, at);
    const { key, token } = issued;
    const request = yield* decide(id, { state: 'approved', at, by, keyId: key.id });
    yield* issuer.insert(
      issued,
      (active) =>
        `${key.email} has a ${key.environment} key by now${describeKey(active)}. Reject this request, or revoke that key first and approve it then.`,
    );
    yield* insertAudit({ at, by, act: 'approve', keyId: key.id, requestId: id, note: `for ${request.email}` });
    return { request, token };
  }

  function* rejectScript(id: string, by: string, reason: string): SqlScript<Outcome> {
    const at = nowText();
    yield* findRequest(id);
    const request = yield* decide(id, { state: 'rejected', at, by, reason });
    yield* insertAudit({ at, by, act: 'reject', requestId: id, note: `of ${request.email}` });
    return { request, token: null };
  }

  /** Gives the key of an approved request a new token, because the first token is stored nowhere. */
  function* resendScript(id: string, by: string): SqlScript<Outcome> {
    const at = nowText();
    const decided = yield* findRequest(id);
    const { email, state, keyId } = decided;
    if (state === 'pending')
      throw new KeyRequestError('This request is not decided yet, so there is nothing to send. Approve or reject it.');
    if (keyId === null) {
      yield* insertAudit({ at, by, act: 'resend', requestId: id, note: `rejection to ${email}` });
      return { request: decided, token: null };
    }
    const [key] = yield* selectKeysMatching(keyId, noDigest, at);
    if (!key) throw new KeyRequestError('The key of this request is gone.');
    const { token } = yield* issuer.replaceToken(key, at);
    const request = yield* resetDelivery(id);
    const note = `to ${email}, in place of ...${key.last4}`;
    yield* insertAudit({ at, by, act: 'resend', keyId, requestId: id, note });
    return { request: request ?? decided, token };
  }

  let onEmail: (outcome: 'sent' | 'failed') => void = () => {};

  /** Emails an outcome that the store has saved, because an emailed key that is not stored would be useless. */
  async function deliver({ request, token }: Outcome): Promise<KeyRequest> {
    const sending = token === null ? emails.sendRejection(request) : emails.sendApproval(request, token);
    const error = await sending.then(
      () => null,
      (reason) => toSafeLine(errorMessage(reason), maxErrorCharacters) || 'the mail server gave no reason',
    );
    onEmail(error === null ? 'sent' : 'failed');
    if (error !== null) log.warn({ requestId: request.id, error }, 'an email with the outcome of a key request failed');
    const delivery = error === null ? { deliveredAt: nowText() } : { deliveryError: error };
    const digest = token === null ? null : digestOf(token, pepper);
    return (await store.write(updateDelivery(request.id, digest, delivery))) ?? store.read(findRequest(request.id));
  }

  return {
    /** Sets the function to call after this process has tried to send an email about the outcome of a key request. */
    watchEmails(listener: typeof onEmail): void {
      onEmail = listener;
    },
    /**
     * Stores a request. Throws a KeyRequestError with the field of an invalid value. Silently stores nothing if the
     * address has a pending request or an active key.
     */
    async submitRequest(request: Pick<KeyRequest, 'email' | 'name' | 'description' | 'environment'>) {
      const email = validateEmail(request.email);
      const row = {
        id: randomUUID(),
        environment: request.environment,
        email,
        address: normalizeEmail(email),
        name: validateName(request.name),
        description: validateText(request.description, 'description'),
        createdAt: nowText(),
      };
      await store.write(submitScript(row));
    },
    /** Resolves with the key requests, the oldest first. */
    requests: (state?: RequestState) => store.read(selectRequests(state)),
    showRequest: (id: string) => store.read(findRequest(id)),
    /**
     * Approves a request and emails the key. Throws a KeyRequestError if it is decided or the address has a key.
     * Without email, it has a `deliveryError`.
     */
    approve: async (id: string, by: string, documents: AllowedDocuments = 'any') =>
      deliver(await store.write(approveScript(id, by, documents))),
    reject: async (id: string, by: string, reason: string) =>
      deliver(await store.write(rejectScript(id, by, validateText(reason, 'reason')))),
    /** Emails the outcome again. The key of an approved request gets a new token, and its old token is rejected. */
    resend: async (id: string, by: string) => deliver(await store.write(resendScript(id, by))),
  };
}
