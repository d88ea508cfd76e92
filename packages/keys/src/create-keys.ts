import { hash } from 'node:crypto';
import { isPromise } from 'node:util/types';
import type { Logger } from '@lectern/serving';
import { redactKeys } from '@lectern/serving';
import { LRUCache } from 'lru-cache';
import type { OutcomeEmails } from './email/outcome-emails';
import type { KeyHolder } from './generate-key';
import { createKeyGenerator } from './generate-key';
import { createKeyRequests } from './key-requests';
import type { Authentication, KeyRecord, Keys } from './keys-types';
import { KeyRequestError } from './keys-types';
import { createSessions } from './sessions';
import { insertAudit, selectLatestAudit } from './store/audit-queries';
import {
  insertKey,
  revokeKey,
  selectActiveKey,
  selectAllKeys,
  selectKeysMatching,
  updateRequestsPerDay,
} from './store/key-queries';
import type { KeyStore, SqlScript } from './store/key-store';
import { replaceRequestKey } from './store/request-queries';
import type { Environment } from './token';
import { digestOf, hasValidCheck, tokenLength } from './token';
import { validateEmail, validateName, validateRequestsPerDay } from './validate-fields';

export interface KeysDependencies {
  store: KeyStore;
  pepper: string;
  outcomeEmails: OutcomeEmails;
  now: () => Date;
  log: Logger;
}

/** About a quarter of a kilobyte each. */
const maxCachedDigests = 5_000;
export const maxAuditEntries = 1_000;
const maxNoteCharacters = 500;

/** The rules of a key's life, over any store. */
export function createKeys({ store, pepper, outcomeEmails, now, log }: KeysDependencies): Keys {
  const instant = () => now().toISOString();
  const makeKey = createKeyGenerator(pepper);
  // The digests of tokens that were good when they were last shown, by another digest that is made in a fraction of the time. Whether they still are is asked of the
  // store every time. Good ones alone, or the time taken would tell revoked ones from those that never were.
  const digests = new LRUCache<string, Buffer>({ max: maxCachedDigests });

  function* keyNamed(which: string): SqlScript<KeyRecord> {
    // PostgreSQL refuses a text with NUL; there is no such key anyway.
    const found = which.includes('\0') ? [] : yield* selectKeysMatching(which, digestOf(which, pepper));
    const [only] = found;
    if (only && found.length === 1) return only;
    if (found.length > 1)
      throw new KeyRequestError(
        `Several keys end in ${which}. Name one by its id: ${found.map((key) => key.id).join(', ')}`,
      );
    throw new KeyRequestError(
      `No key has the id or the ending '${which.length > 40 ? `${which.slice(0, 8)}...` : which}'. See: keys list`,
    );
  }

  function* issueWork(holder: KeyHolder, by: string): SqlScript<{ key: KeyRecord; token: string }> {
    const at = instant();
    const { row, key, token } = makeKey(holder, at);
    if (!(yield* insertKey(row))) {
      const held = yield* selectActiveKey(row.address, row.environment);
      throw new KeyRequestError(
        `${row.email} has a ${row.environment} key already${held ? ` (${held.id}, ends in ${held.last4})` : ''}. Revoke it first: keys revoke ${held?.id ?? 'ID'}`,
        'email',
      );
    }
    yield* insertAudit({ at, by, act: 'issue', keyId: key.id, requestId: null, note: `for ${key.email}` });
    return { key, token };
  }

  function* revokeWork(which: string, by: string): SqlScript<KeyRecord> {
    const at = instant();
    const key = yield* keyNamed(which);
    const revoked = yield* revokeKey(key.id, at);
    if (!revoked) throw new KeyRequestError(`Key ${key.id} is revoked already (${key.revokedAt ?? 'just now'}).`);
    yield* insertAudit({ at, by, act: 'revoke', keyId: key.id, requestId: null, note: `of ${key.email}` });
    return revoked;
  }

  function* allowWork(which: string, requestsPerDay: number | null, by: string): SqlScript<KeyRecord> {
    const key = yield* keyNamed(which);
    const allowed = yield* updateRequestsPerDay(key.id, requestsPerDay);
    if (!allowed)
      throw new KeyRequestError(`Key ${key.id} is revoked (${key.revokedAt ?? 'just now'}), and has no requests.`);
    yield* insertAudit({
      at: instant(),
      by,
      act: 'allow',
      keyId: key.id,
      requestId: null,
      note: `${wordsOfQuota(requestsPerDay)} requests a day, before ${wordsOfQuota(key.requestsPerDay)}`,
    });
    return allowed;
  }

  function* rotateWork(which: string, by: string): SqlScript<{ key: KeyRecord; token: string }> {
    const at = instant();
    const old = yield* keyNamed(which);
    const { row, key, token } = makeKey(old, at);
    // The request first, then the key: resend takes its locks in this order too.
    const request = yield* replaceRequestKey({ old: old.id, fresh: key.id, isMailed: false });
    if (!(yield* revokeKey(old.id, at)))
      throw new KeyRequestError(
        `Key ${old.id} is revoked already (${old.revokedAt ?? 'just now'}). Issue a new one: keys issue --email ${old.email} --name '${old.name}'`,
      );
    yield* insertKey(row);
    yield* insertAudit({
      at,
      by,
      act: 'rotate',
      keyId: key.id,
      requestId: request?.id ?? null,
      note: `in place of ${old.id}`,
    });
    return { key, token };
  }

  return {
    authenticate(token, environment) {
      const text = (token ?? '').slice(0, 2 * tokenLength);
      const mark = hash('sha256', `${pepper}:${text}`, 'base64');
      const known = digests.get(mark);
      const isMade = known !== undefined || hasValidCheck(text, pepper);
      const digest = known ?? digestOf(text, pepper);
      const judge = (key: KeyRecord | null): Authentication => {
        const authentication = judged(key, isMade, environment);
        if (authentication.kind === 'unknown') digests.delete(mark);
        else if (!known) digests.set(mark, digest);
        return authentication;
      };
      const found = store.keyByDigest(digest);
      return isPromise(found) ? found.then(judge) : judge(found);
    },

    issue: async ({ email, name, environment, requestsPerDay }, by) =>
      store.write(
        issueWork(
          {
            email: validateEmail(email),
            name: validateName(name),
            environment,
            requestsPerDay: validateRequestsPerDay(requestsPerDay),
          },
          by,
        ),
      ),
    list: async () => [...(await store.read(selectAllKeys()))],
    show: (which) => store.read(keyNamed(which)),
    revoke: (which, by) => store.write(revokeWork(which, by)),
    rotate: (which, by) => store.write(rotateWork(which, by)),
    setRequestsPerDay: async (which, requestsPerDay, by) =>
      store.write(allowWork(which, validateRequestsPerDay(requestsPerDay), by)),

    ...createKeyRequests({ store, makeKey, outcomeEmails, instant, log }),

    audit: async (most) => [
      ...(await store.read(selectLatestAudit(Math.max(0, Math.min(Math.trunc(most) || 0, maxAuditEntries))))),
    ],
    record: async ({ note, ...entry }) => {
      await store.write(insertAudit({ ...entry, at: instant(), note: oneLine(note) }));
    },

    sessions: createSessions({ store, pepper, now }),

    close: () => store.close(),
  };
}

const wordsOfQuota = (requestsPerDay: number | null): string =>
  requestsPerDay === null ? 'as many as every key' : String(requestsPerDay);

function judged(key: KeyRecord | null, isMade: boolean, environment: Environment): Authentication {
  if (!isMade || !key || key.revokedAt !== null) return { kind: 'unknown' };
  return key.environment === environment ? { kind: 'caller', key } : { kind: 'other-environment' };
}

/** What somebody else has written into a note stays a short line, and no key gets into it. */
const oneLine = (note: string): string =>
  redactKeys(note.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, maxNoteCharacters));
