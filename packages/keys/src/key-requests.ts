import { randomUUID } from 'node:crypto';
import type { Logger } from '@lectern/serving';
import { redactKeys } from '@lectern/serving';
import type { OutcomeEmails } from './email/messages';
import type { GenerateKey } from './issue';
import { insertReplacementKey } from './issue';
import type { KeyStore, RequestRow, SqlScript } from './store/queries';
import {
  decideRequest,
  insertAudit,
  insertKey,
  insertRequest,
  replaceRequestKey,
  revokeKey,
  selectActiveKey,
  selectKeysMatching,
  selectPendingRequest,
  selectRequest,
  selectRequests,
  updateDelivery,
} from './store/queries';
import type { AllowedDocuments, KeyRequest, Keys } from './types';
import { KeyRequestError } from './types';
import { normalizeEmail, validateEmail, validateName, validateText } from './validation';

export interface KeyRequestsDependencies {
  store: KeyStore;
  generateKey: GenerateKey;
  outcomeEmails: OutcomeEmails;
  /** Returns the current time as ISO 8601, UTC. */
  nowText: () => string;
  log: Logger;
}

type KeyRequests = Pick<Keys, 'submitRequest' | 'requests' | 'showRequest' | 'approve' | 'reject' | 'resend'>;

/** A decided request whose outcome is emailed next. The token is null for a rejection. */
type Outcome = { request: KeyRequest; token: string | null };

const maxErrorCharacters = 200;

/**
 * Creates the functions for the life of a key request: submitted by form, approved or rejected by
 * an operator, outcome sent by email.
 */
export function createKeyRequests({
  store,
  generateKey,
  outcomeEmails,
  nowText,
  log,
}: KeyRequestsDependencies): KeyRequests {
  function* findRequest(id: string): SqlScript<KeyRequest> {
    // An id with NUL finds nothing: PostgreSQL rejects such a text, and no id contains NUL.
    const request = id.includes('\0') ? null : yield* selectRequest(id);
    if (!request) throw new KeyRequestError(`No request has the id '${id.slice(0, 40)}'. See: keys requests`);
    return request;
  }

  /**
   * Stores a submitted request, unless the address has an active key or a pending request. Writes
   * one audit entry in each case, so that the response time does not reveal whether the address is
   * known.
   */
  function* submitScript(row: RequestRow): SqlScript<void> {
    const activeKey = yield* selectActiveKey(row.address, row.environment);
    const isInserted = activeKey ? false : yield* insertRequest(row);
    const pending = yield* selectPendingRequest(row.address, row.environment);
    yield* insertAudit({
      at: row.createdAt,
      by: 'form',
      act: 'request',
      keyId: activeKey?.id ?? null,
      requestId: pending?.id ?? null,
      note: submissionNote(row.email, { hasKey: activeKey !== null, isInserted }),
    });
  }

  function* approveScript(id: string, by: string, documents: AllowedDocuments): SqlScript<Outcome> {
    const at = nowText();
    const pending = yield* findRequest(id);
    const { row, key, token } = generateKey(
      { ...pending, requestsPerDay: null, requestsPerMinute: null, documents },
      at,
    );
    const request = yield* decideRequest({ id, state: 'approved', at, by, reason: null, keyId: key.id });
    if (!request) throw alreadyDecidedError(yield* findRequest(id));
    if (!(yield* insertKey(row))) {
      const active = yield* selectActiveKey(row.address, row.environment);
      throw new KeyRequestError(
        `${row.email} has a ${row.environment} key by now${active ? ` (${active.id}, ends in ${active.last4})` : ''}. Reject this request, or revoke that key first and approve it then.`,
      );
    }
    yield* insertAudit({ at, by, act: 'approve', keyId: key.id, requestId: id, note: `for ${request.email}` });
    return { request, token };
  }

  function* rejectScript(id: string, by: string, reason: string): SqlScript<Outcome> {
    const at = nowText();
    yield* findRequest(id);
    const request = yield* decideRequest({ id, state: 'rejected', at, by, reason, keyId: null });
    if (!request) throw alreadyDecidedError(yield* findRequest(id));
    yield* insertAudit({ at, by, act: 'reject', keyId: null, requestId: id, note: `of ${request.email}` });
    return { request, token: null };
  }

  function* resendScript(id: string, by: string): SqlScript<Outcome> {
    const at = nowText();
    const decided = yield* findRequest(id);
    if (decided.state === 'pending')
      throw new KeyRequestError('This request is not decided yet, so there is nothing to send. Approve or reject it.');
    if (decided.keyId === null) {
      yield* insertAudit({ at, by, act: 'resend', keyId: null, requestId: id, note: `rejection to ${decided.email}` });
      return { request: decided, token: null };
    }
    return yield* replaceKeyScript({ ...decided, keyId: decided.keyId }, by, at);
  }

  /**
   * Issues a new key for an approved request and revokes the old key, because the old token is
   * stored nowhere.
   */
  function* replaceKeyScript(
    approved: KeyRequest & { readonly keyId: string },
    by: string,
    at: string,
  ): SqlScript<Outcome> {
    const [old] = yield* selectKeysMatching(approved.keyId, noDigest);
    if (!old || old.revokedAt !== null) {
      throw new KeyRequestError(
        `The key of this request was revoked (${old?.revokedAt ?? 'and is gone'}), so it is not sent again. To give a new one: keys issue --email ${approved.email} --name '${approved.name}'`,
      );
    }
    const { row, key, token } = generateKey(old, at);
    const request = yield* replaceRequestKey({ oldKeyId: old.id, newKeyId: key.id, isEmailed: true });
    if (!request || !(yield* revokeKey(old.id, at)))
      throw new KeyRequestError(
        'Somebody else has just replaced the key of this request. Look at it again before you send another.',
      );
    yield* insertReplacementKey(row);
    yield* insertAudit({
      at,
      by,
      act: 'resend',
      keyId: key.id,
      requestId: approved.id,
      note: `to ${approved.email}, in place of ${old.id}`,
    });
    return { request, token };
  }

  /**
   * Emails the outcome after the store has saved it, because a key that was emailed but not stored
   * could not be used. An email that fails can be sent again.
   */
  async function deliver({ request, token }: Outcome): Promise<KeyRequest> {
    const sending = token === null ? outcomeEmails.sendRejection(request) : outcomeEmails.sendApproval(request, token);
    const error = await sending.then(() => null, describeDeliveryError);
    if (error !== null) log.warn({ requestId: request.id, error }, 'an email with the outcome of a key request failed');
    const updated = await store.write(
      updateDelivery({
        id: request.id,
        keyId: request.keyId,
        deliveredAt: error === null ? nowText() : null,
        error,
      }),
    );
    return updated ?? store.read(findRequest(request.id));
  }

  return {
    async submitRequest({ email, name, description, environment }) {
      const validEmail = validateEmail(email);
      const row = {
        id: randomUUID(),
        environment,
        email: validEmail,
        address: normalizeEmail(validEmail),
        name: validateName(name),
        description: validateText(description, 'description'),
        createdAt: nowText(),
      };
      await store.write(submitScript(row));
    },
    requests: async (state) => [...(await store.read(selectRequests(state)))],
    showRequest: (id) => store.read(findRequest(id)),
    approve: async (id, by, documents = 'any') => deliver(await store.write(approveScript(id, by, documents))),
    reject: async (id, by, reason) => deliver(await store.write(rejectScript(id, by, validateText(reason, 'reason')))),
    resend: async (id, by) => deliver(await store.write(resendScript(id, by))),
  };
}

/** An empty digest, which no key has. With it, `selectKeysMatching` finds a key by its id only. */
const noDigest = Buffer.alloc(0);

function submissionNote(email: string, { hasKey, isInserted }: { hasKey: boolean; isInserted: boolean }): string {
  if (hasKey) return `${email} submitted the form again, and has a key`;
  return isInserted ? `by ${email}` : `${email} submitted the form again, and has a pending request`;
}

const alreadyDecidedError = ({ state, decidedAt, decidedBy }: KeyRequest): KeyRequestError =>
  new KeyRequestError(
    `This request was ${state} already, by ${decidedBy ?? 'somebody'} at ${decidedAt ?? 'an unknown time'}.`,
  );

/** Formats the error of a mail server as one line of bounded length without API keys. */
const describeDeliveryError = (error: unknown): string =>
  redactKeys(
    (error instanceof Error ? error.message : String(error))
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .slice(0, maxErrorCharacters),
  ) || 'the mail server gave no reason';
