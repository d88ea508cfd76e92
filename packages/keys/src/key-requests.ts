import { randomUUID } from 'node:crypto';
import type { Logger } from '@lectern/serving';
import { redactKeys } from '@lectern/serving';
import type { OutcomeEmails } from './email/outcome-emails';
import type { GenerateKey } from './generate-key';
import type { KeyRequest, Keys } from './keys-types';
import { KeyRequestError } from './keys-types';
import { insertAudit } from './store/audit-queries';
import { insertKey, revokeKey, selectActiveKey, selectKeysMatching } from './store/key-queries';
import type { KeyStore, SqlScript } from './store/key-store';
import type { RequestRow } from './store/request-queries';
import {
  decideRequest,
  insertRequest,
  replaceRequestKey,
  selectPendingRequest,
  selectRequest,
  selectRequests,
  updateDelivery,
} from './store/request-queries';
import { normalizeEmail, validateEmail, validateName, validateText } from './validate-fields';

export interface KeyRequestsDependencies {
  store: KeyStore;
  makeKey: GenerateKey;
  outcomeEmails: OutcomeEmails;
  instant: () => string;
  log: Logger;
}

type KeyRequests = Pick<Keys, 'submitRequest' | 'requests' | 'showRequest' | 'approve' | 'reject' | 'resend'>;
type Outcome = { request: KeyRequest; token: string | null };

const maxErrorCharacters = 200;

/** The way of a request: asked, approved or rejected by hand, and the outcome mailed. */
export function createKeyRequests({
  store,
  makeKey,
  outcomeEmails,
  instant,
  log,
}: KeyRequestsDependencies): KeyRequests {
  function* requestNamed(id: string): SqlScript<KeyRequest> {
    const request = id.includes('\0') ? null : yield* selectRequest(id);
    if (!request) throw new KeyRequestError(`No request has the id '${id.slice(0, 40)}'. See: keys requests`);
    return request;
  }

  /** Writes one line whatever it finds, so that the time taken does not tell an applicant whether the address is known. */
  function* requestWork(row: RequestRow): SqlScript<void> {
    const held = yield* selectActiveKey(row.address, row.environment);
    const isKept = held ? false : yield* insertRequest(row);
    const waiting = yield* selectPendingRequest(row.address, row.environment);
    const note = held
      ? `${row.email} asked again, and has a key`
      : isKept
        ? `by ${row.email}`
        : `${row.email} asked again, and waits`;
    yield* insertAudit({
      at: row.createdAt,
      by: 'form',
      act: 'request',
      keyId: held?.id ?? null,
      requestId: waiting?.id ?? null,
      note,
    });
  }

  function* approveWork(id: string, by: string): SqlScript<Outcome> {
    const at = instant();
    const pending = yield* requestNamed(id);
    const { row, key, token } = makeKey({ ...pending, requestsPerDay: null }, at);
    const request = yield* decideRequest({ id, state: 'approved', at, by, reason: null, keyId: key.id });
    if (!request) throw decidedAlready(yield* requestNamed(id));
    if (!(yield* insertKey(row))) {
      const held = yield* selectActiveKey(row.address, row.environment);
      throw new KeyRequestError(
        `${row.email} has a ${row.environment} key by now${held ? ` (${held.id}, ends in ${held.last4})` : ''}. Reject this request, or revoke that key first and approve it then.`,
      );
    }
    yield* insertAudit({ at, by, act: 'approve', keyId: key.id, requestId: id, note: `for ${request.email}` });
    return { request, token };
  }

  function* rejectWork(id: string, by: string, reason: string): SqlScript<Outcome> {
    const at = instant();
    yield* requestNamed(id);
    const request = yield* decideRequest({ id, state: 'rejected', at, by, reason, keyId: null });
    if (!request) throw decidedAlready(yield* requestNamed(id));
    yield* insertAudit({ at, by, act: 'reject', keyId: null, requestId: id, note: `of ${request.email}` });
    return { request, token: null };
  }

  function* resendWork(id: string, by: string): SqlScript<Outcome> {
    const at = instant();
    const told = yield* requestNamed(id);
    if (told.state === 'pending')
      throw new KeyRequestError('This request is not decided yet, so there is nothing to send. Approve or reject it.');
    if (told.keyId === null) {
      yield* insertAudit({ at, by, act: 'resend', keyId: null, requestId: id, note: `rejection to ${told.email}` });
      return { request: told, token: null };
    }
    const [old] = yield* selectKeysMatching(told.keyId, noDigest);
    if (!old || old.revokedAt !== null) {
      throw new KeyRequestError(
        `The key of this request was revoked (${old?.revokedAt ?? 'and is gone'}), so it is not sent again. To give a new one: keys issue --email ${told.email} --name '${told.name}'`,
      );
    }
    const { row, key, token } = makeKey(old, at);
    const request = yield* replaceRequestKey({ old: old.id, fresh: key.id, isMailed: true });
    if (!request || !(yield* revokeKey(old.id, at)))
      throw new KeyRequestError(
        'Somebody else has just replaced the key of this request. Look at it again before you send another.',
      );
    yield* insertKey(row);
    yield* insertAudit({
      at,
      by,
      act: 'resend',
      keyId: key.id,
      requestId: id,
      note: `to ${told.email}, in place of ${old.id}`,
    });
    return { request, token };
  }

  /** The outcome stands in the store before anything is mailed: a mail that goes wrong can be sent again, a key that was mailed and not kept could not be used. */
  async function deliver({ request, token }: Outcome): Promise<KeyRequest> {
    const fault = await (token === null
      ? outcomeEmails.sendRejection(request)
      : outcomeEmails.sendApproval(request, token)
    ).then(() => null, shortly);
    if (fault !== null)
      log.warn({ requestId: request.id, fault }, 'a mail with the outcome of a key request did not go out');
    const noted = await store.write(
      updateDelivery({ id: request.id, keyId: request.keyId, at: fault === null ? instant() : null, fault }),
    );
    return noted ?? store.read(requestNamed(request.id));
  }

  return {
    async submitRequest({ email, name, description, environment }) {
      const address = validateEmail(email);
      const row = {
        id: randomUUID(),
        environment,
        email: address,
        address: normalizeEmail(address),
        name: validateName(name),
        description: validateText(description, 'description'),
        createdAt: instant(),
      };
      await store.write(requestWork(row));
    },
    requests: async (state) => [...(await store.read(selectRequests(state)))],
    showRequest: (id) => store.read(requestNamed(id)),
    approve: async (id, by) => deliver(await store.write(approveWork(id, by))),
    reject: async (id, by, reason) => deliver(await store.write(rejectWork(id, by, validateText(reason, 'reason')))),
    resend: async (id, by) => deliver(await store.write(resendWork(id, by))),
  };
}

/** For a look-up by id alone. */
const noDigest = Buffer.alloc(0);

const decidedAlready = ({ state, decidedAt, decidedBy }: KeyRequest): KeyRequestError =>
  new KeyRequestError(
    `This request was ${state} already, by ${decidedBy ?? 'somebody'} at ${decidedAt ?? 'an unknown time'}.`,
  );

const shortly = (error: unknown): string =>
  redactKeys(
    (error instanceof Error ? error.message : String(error))
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .slice(0, maxErrorCharacters),
  ) || 'for no reason that was given';
