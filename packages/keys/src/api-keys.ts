import { hash } from 'node:crypto';
import { isPromise } from 'node:util/types';
import type { Logger } from '@lectern/serving';
import { redactKeys } from '@lectern/serving';
import { LRUCache } from 'lru-cache';
import type { OutcomeEmails } from './email/messages';
import type { KeyHolder } from './issue';
import { createKeyGenerator, insertReplacementKey } from './issue';
import { createKeyRequests } from './key-requests';
import { createSessions } from './sessions';
import type { KeyStore, SqlScript } from './store/queries';
import {
  insertAudit,
  insertKey,
  replaceRequestKey,
  revokeKey,
  selectActiveKey,
  selectAllKeys,
  selectKeysMatching,
  selectLatestAudit,
  updateLimits,
} from './store/queries';
import type { Environment } from './token';
import { digestOf, hasValidCheck, tokenLength } from './token';
import type { Authentication, KeyLimits, KeyRecord, Keys, NewKey } from './types';
import { KeyRequestError } from './types';
import { validateEmail, validateLimits, validateName } from './validation';

export interface KeysDependencies {
  store: KeyStore;
  pepper: string;
  outcomeEmails: OutcomeEmails;
  now: () => Date;
  log: Logger;
}

/** The maximum number of cached digests, of about a quarter of a kilobyte each. */
const maxCachedDigests = 5_000;
export const maxAuditEntries = 10_000;
const maxNoteCharacters = 500;

/**
 * Creates the operations on the API keys of a store. This file and key-requests.ts have all rules
 * about issuing and revoking keys.
 */
export function createKeys({ store, pepper, outcomeEmails, now, log }: KeysDependencies): Keys {
  const nowText = () => now().toISOString();
  const generateKey = createKeyGenerator(pepper);
  // Caches the digests of valid tokens, by a cheaper hash of the token. Each lookup still queries
  // the store. Revoked tokens are not cached, because they would be rejected faster than unknown
  // tokens: the response time would reveal that the key existed.
  const digests = new LRUCache<string, Buffer>({ max: maxCachedDigests });

  function* findKey(keySelector: string): SqlScript<KeyRecord> {
    // A selector with NUL finds nothing: PostgreSQL rejects such a text, and no key contains NUL.
    const found = keySelector.includes('\0')
      ? []
      : yield* selectKeysMatching(keySelector, digestOf(keySelector, pepper));
    const [key] = found;
    if (key && found.length === 1) return key;
    if (found.length > 1)
      throw new KeyRequestError(
        `Several keys end in ${keySelector}. Name one by its id: ${found.map(({ id }) => id).join(', ')}`,
      );
    throw new KeyRequestError(
      `No key has the id or the ending '${keySelector.length > 40 ? `${keySelector.slice(0, 8)}...` : keySelector}'. See: keys list`,
    );
  }

  function* issueScript(holder: KeyHolder, by: string): SqlScript<NewKey> {
    const at = nowText();
    const { row, key, token } = generateKey(holder, at);
    if (!(yield* insertKey(row))) {
      const active = yield* selectActiveKey(row.address, row.environment);
      throw new KeyRequestError(
        `${row.email} has a ${row.environment} key already${active ? ` (${active.id}, ends in ${active.last4})` : ''}. Revoke it first: keys revoke ${active?.id ?? 'ID'}`,
        'email',
      );
    }
    yield* insertAudit({ at, by, act: 'issue', keyId: key.id, requestId: null, note: `for ${key.email}` });
    return { key, token };
  }

  function* revokeScript(keySelector: string, by: string): SqlScript<KeyRecord> {
    const at = nowText();
    const key = yield* findKey(keySelector);
    const revoked = yield* revokeKey(key.id, at);
    if (!revoked) throw new KeyRequestError(`Key ${key.id} is revoked already (${key.revokedAt ?? 'just now'}).`);
    yield* insertAudit({ at, by, act: 'revoke', keyId: key.id, requestId: null, note: `of ${key.email}` });
    return revoked;
  }

  function* setLimitsScript(keySelector: string, limits: Partial<KeyLimits>, by: string): SqlScript<KeyRecord> {
    const key = yield* findKey(keySelector);
    const { requestsPerDay, requestsPerMinute } = { ...key, ...limits };
    const updated = yield* updateLimits(key.id, { requestsPerDay, requestsPerMinute });
    if (!updated)
      throw new KeyRequestError(
        `Key ${key.id} is revoked (${key.revokedAt ?? 'just now'}), so its limits cannot be changed.`,
      );
    yield* insertAudit({
      at: nowText(),
      by,
      act: 'allow',
      keyId: key.id,
      requestId: null,
      note: describeLimits(limits, key),
    });
    return updated;
  }

  function* rotateScript(keySelector: string, by: string): SqlScript<NewKey> {
    const at = nowText();
    const old = yield* findKey(keySelector);
    const { row, key, token } = generateKey(old, at);
    // Updates the request before the key. `resend` locks the rows in the same order, so the two
    // cannot deadlock.
    const request = yield* replaceRequestKey({ oldKeyId: old.id, newKeyId: key.id, isEmailed: false });
    if (!(yield* revokeKey(old.id, at)))
      throw new KeyRequestError(
        `Key ${old.id} is revoked already (${old.revokedAt ?? 'just now'}). Issue a new one: keys issue --email ${old.email} --name '${old.name}'`,
      );
    yield* insertReplacementKey(row);
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
      const cacheKey = hash('sha256', `${pepper}:${text}`, 'base64');
      const cachedDigest = digests.get(cacheKey);
      const isOurs = cachedDigest !== undefined || hasValidCheck(text, pepper);
      const digest = cachedDigest ?? digestOf(text, pepper);
      const conclude = (key: KeyRecord | null): Authentication => {
        const authentication = authenticationOf(isOurs ? key : null, environment);
        if (authentication.kind === 'unknown') digests.delete(cacheKey);
        else if (!cachedDigest) digests.set(cacheKey, digest);
        return authentication;
      };
      const found = store.keyByDigest(digest);
      return isPromise(found) ? found.then(conclude) : conclude(found);
    },

    async issue({ email, name, environment, requestsPerDay = null, requestsPerMinute = null, documents = 'any' }, by) {
      const limits = { requestsPerDay, requestsPerMinute };
      validateLimits(limits);
      return store.write(
        issueScript({ email: validateEmail(email), name: validateName(name), environment, documents, ...limits }, by),
      );
    },
    list: async () => [...(await store.read(selectAllKeys()))],
    show: (keySelector) => store.read(findKey(keySelector)),
    revoke: (keySelector, by) => store.write(revokeScript(keySelector, by)),
    rotate: (keySelector, by) => store.write(rotateScript(keySelector, by)),
    async setLimits(keySelector, limits, by) {
      validateLimits(limits);
      return store.write(setLimitsScript(keySelector, limits, by));
    },

    ...createKeyRequests({ store, generateKey, outcomeEmails, nowText, log }),

    audit: async (limit) => [
      ...(await store.read(selectLatestAudit(Math.max(0, Math.min(Math.trunc(limit) || 0, maxAuditEntries))))),
    ],
    record: async ({ note, ...entry }) => {
      await store.write(insertAudit({ ...entry, at: nowText(), note: sanitizeNote(note) }));
    },

    sessions: createSessions({ store, pepper, now }),

    close: () => store.close(),
  };
}

const describeLimits = (limits: Partial<KeyLimits>, before: KeyLimits): string =>
  [
    ...describeLimit('day', limits.requestsPerDay, before.requestsPerDay),
    ...describeLimit('minute', limits.requestsPerMinute, before.requestsPerMinute),
  ].join('; ');

const describeLimit = (period: string, limit: number | null | undefined, before: number | null): string[] =>
  limit === undefined
    ? []
    : [`${limit ?? `${defaultNumber} of`} requests a ${period}, before ${before ?? defaultNumber}`];

/** Stands in the audit log for the limit of keys that have no limit of their own. */
const defaultNumber = 'the default number';

function authenticationOf(key: KeyRecord | null, environment: Environment): Authentication {
  if (!key || key.revokedAt !== null) return { kind: 'unknown' };
  return key.environment === environment ? { kind: 'caller', key } : { kind: 'other-environment' };
}

/**
 * Turns a note, which may contain a client's text, into one line of bounded length without API
 * keys.
 */
const sanitizeNote = (note: string): string =>
  redactKeys(note.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, maxNoteCharacters));
