import { hash } from 'node:crypto';
import { isPromise } from 'node:util/types';
import { errorMessage } from '@lectern/serving';
import { LRUCache } from 'lru-cache';
import { createKeyIssuer, describeEnd, describeKey, type KeyHolder, type KeyIssuer } from './issue-key';
import { createKeyRequests, type KeysDependencies } from './key-requests';
import { createSessions } from './sessions';
import type { SqlScript } from './store/queries';
import {
  insertAudit,
  revokeKey,
  selectAllKeys,
  selectKeyOfOtherPepper,
  selectKeysMatching,
  selectLatestAudit,
  updateGrants,
  updateLimits,
} from './store/queries';
import { digestOf, type Environment, fingerprintOf, hasValidCheck, tokenLength } from './token';
import type { AuditEntry, KeyLimits, KeyRecord, NewKey } from './types';
import { KeyRequestError, keyStateAt } from './types';
import { parseEnd, toSafeLine, validateEmail, validateGrants, validateLimits, validateName } from './validation';
import { createKeyVerses } from './verse-usage';

export type Authentication =
  | { readonly kind: 'caller'; readonly key: KeyRecord }
  | { readonly kind: 'unknown' }
  /** The API key is valid, but in the other environment (`live` or `test`). */
  | { readonly kind: 'other-environment' };

/** Returns the identifiers of the translations that a key may read, from those that it may read now. */
type ChangeGrants = (before: readonly string[]) => readonly string[];

/** The maximum number of cached digests. Each takes about a quarter of a kilobyte. */
const maxCachedDigests = 5_000;
export const maxAuditEntries = 10_000;
const maxNoteCharacters = 500;

/**
 * Issues, finds and changes API keys. A key selector is an id, a token or the end of one: `4CIm`, `svc_test_...4CIm`.
 */
export function createKeys(dependencies: KeysDependencies) {
  const { store, pepper, now } = dependencies;
  const nowText = () => now().toISOString();
  const issuer = createKeyIssuer(pepper);
  const scripts = createKeyScripts(pepper, issuer, nowText);
  // Revoked tokens are not cached: a faster rejection would reveal that the key once existed.
  const digests = new LRUCache<string, Buffer>({ max: maxCachedDigests });

  return {
    /** A key is rejected as soon as it is revoked. All rejections look the same and take equally long. */
    authenticate(token: string | null, environment: Environment): Authentication | Promise<Authentication> {
      const text = (token ?? '').slice(0, 2 * tokenLength);
      const cacheKey = hash('sha256', `${pepper}:${text}`, 'base64');
      const cachedDigest = digests.get(cacheKey);
      const isOurs = cachedDigest !== undefined || hasValidCheck(text, pepper);
      const digest = cachedDigest ?? digestOf(text, pepper);
      const conclude = (key: KeyRecord | null): Authentication => {
        if (!isOurs || !key) {
          digests.delete(cacheKey);
          return { kind: 'unknown' };
        }
        if (!cachedDigest) digests.set(cacheKey, digest);
        return key.environment === environment ? { kind: 'caller', key } : { kind: 'other-environment' };
      };
      const found = store.keyByDigest(digest, nowText());
      return isPromise(found) ? found.then(conclude) : conclude(found);
    },

    /**
     * Issues a key. `expires` is a time such as 90d, a date, or empty. Throws a KeyRequestError if the address has a
     * key.
     */
    async issue(
      holder: Pick<KeyHolder, 'email' | 'name' | 'environment'> & Partial<KeyHolder> & { expires?: string },
      by: string,
    ): Promise<NewKey> {
      const { environment, expires = '', requestsPerDay = null, requestsPerMinute = null, documents = 'any' } = holder;
      const limits = validateLimits({ requestsPerDay, requestsPerMinute, addresses: holder.addresses ?? null });
      const [email, name] = [validateEmail(holder.email), validateName(holder.name)];
      const expiresAt = parseEnd(expires, now(), 'expires');
      return store.write(scripts.issue({ email, name, environment, documents, grants: '', expiresAt, ...limits }, by));
    },
    /** Resolves with all keys, the oldest first, including revoked keys. */
    list: () => store.read(selectAllKeys()),
    /** Resolves with why the store is unavailable, or null. Looks up a digest that no key has. */
    async problem(): Promise<string | null> {
      try {
        await store.keyByDigest(Buffer.alloc(32), nowText());
        return null;
      } catch (error) {
        return errorMessage(error);
      }
    },
    /** Resolves with a warning if active keys were issued with another pepper, else with null. */
    async pepperWarning(): Promise<string | null> {
      const other = await store.read(selectKeyOfOtherPepper(fingerprintOf(pepper), nowText()));
      if (!other) return null;
      return `Key ${other.id} and perhaps more were issued with another secret than this process has (KEY_PEPPER or key-pepper). A process accepts only keys of its own secret: docs/troubleshooting.md`;
    },
    show: (keySelector: string) => store.read(scripts.findKey(keySelector)),
    /** Revokes a key. Every process rejects the key from its next request on. */
    revoke: (keySelector: string, by: string) => store.write(scripts.revoke(keySelector, by)),
    /**
     * Gives a key a new token; all else stays. The old one works until `overlap` ends, a time such as 7d, or no more if
     * it is empty. Fails if the token does not end in `seen`.
     */
    async rotate(keySelector: string, by: string, { overlap = '', seen }: { overlap?: string; seen?: string } = {}) {
      const until = parseEnd(overlap, now(), 'overlap');
      return store.write(scripts.rotate(keySelector, by, until, seen));
    },
    stateOf: (key: KeyRecord) => keyStateAt(key, nowText()),
    /** Changes the limits of a key. An absent limit stays unchanged. Null sets the deployment's default. */
    async setLimits(keySelector: string, limits: Partial<KeyLimits>, by: string): Promise<KeyRecord> {
      return store.write(scripts.setLimits(keySelector, validateLimits(limits), by));
    },
    /** Changes which restricted translations a key may read. Takes effect with the next request. */
    setGrants: (keySelector: string, change: ChangeGrants, by: string) =>
      store.write(scripts.setGrants(keySelector, change, by)),

    ...createKeyRequests(dependencies, issuer),

    /** Resolves with the latest entries of the audit log, the newest first. `limit` is a whole number from 0 on. */
    audit: (limit: number) => store.read(selectLatestAudit(Math.min(limit, maxAuditEntries))),
    async record({ note, ...entry }: Omit<AuditEntry, 'at'>): Promise<void> {
      await store.write(insertAudit({ ...entry, at: nowText(), note: toSafeLine(note, maxNoteCharacters) }));
    },

    ...createKeyVerses(dependencies),

    sessions: createSessions(dependencies),

    close: () => store.close(),
  };
}

export type Keys = ReturnType<typeof createKeys>;

/** Creates the scripts that find and change keys, each with its entry in the audit log. */
function createKeyScripts(pepper: string, issuer: KeyIssuer, nowText: () => string) {
  function* findKey(keySelector: string): SqlScript<KeyRecord> {
    // PostgreSQL rejects a text with NUL, which no key contains.
    const isPossible = !keySelector.includes('\0');
    const [, environment, ending = keySelector] = /^svc_(live|test)_(?:\.{3}|…)(.{4})$/.exec(keySelector) ?? [];
    const matching = isPossible ? yield* selectKeysMatching(ending, digestOf(keySelector, pepper), nowText()) : [];
    const found = matching.filter((key) => environment === undefined || key.environment === environment);
    if (found.length > 1)
      throw new KeyRequestError(
        `Several keys end in ${keySelector}. Name one by its id: ${found.map(({ id }) => id).join(', ')}`,
      );
    if (found[0]) return found[0];
    const shown = keySelector.length > 40 ? `${keySelector.slice(0, 8)}...` : keySelector;
    throw new KeyRequestError(`No key has the id or the ending '${shown}'. See: npm run keys -- list`);
  }

  function* issue(holder: KeyHolder, by: string): SqlScript<NewKey> {
    const at = nowText();
    const issued = issuer.generate(holder, at);
    const { id, email, environment } = issued.key;
    yield* issuer.insert(
      issued,
      (active) =>
        `${email} has a ${environment} key already${describeKey(active)}. Revoke it first: npm run keys -- revoke ${active?.id ?? 'ID'}`,
      'email',
    );
    yield* insertAudit({ at, by, act: 'issue', keyId: id, note: `for ${email}` });
    return issued;
  }

  function* revoke(keySelector: string, by: string): SqlScript<KeyRecord> {
    const at = nowText();
    const key = yield* findKey(keySelector);
    const revoked = yield* revokeKey(key.id, at);
    if (!revoked) throw new KeyRequestError(`Key ${key.id} ${describeEnd(key, at)}.`);
    yield* insertAudit({ at, by, act: 'revoke', keyId: key.id, note: `of ${key.email}` });
    return revoked;
  }

  function* setLimits(keySelector: string, limits: Partial<KeyLimits>, by: string): SqlScript<KeyRecord> {
    const key = yield* findKey(keySelector);
    const updated = yield* updateLimits(key.id, { ...key, ...limits }, nowText());
    if (!updated)
      throw new KeyRequestError(`Key ${key.id} ${describeEnd(key, nowText())}, so its limits cannot be changed.`);
    yield* insertAudit({ at: nowText(), by, act: 'allow', keyId: key.id, note: describeLimits(limits, key) });
    return updated;
  }

  function* setGrants(keySelector: string, change: ChangeGrants, by: string): SqlScript<KeyRecord> {
    const key = yield* findKey(keySelector);
    const grants = validateGrants(change(key.grants === '' ? [] : key.grants.split(' ')));
    const updated = yield* updateGrants(key.id, grants, key.grants, nowText());
    if (!updated)
      throw new KeyRequestError(
        keyStateAt(key, nowText()) === 'active'
          ? `Somebody else has just changed the grants of key ${key.id}. Look at them, and try again.`
          : `Key ${key.id} ${describeEnd(key, nowText())}, so its grants cannot be changed.`,
      );
    const note = `${grants || 'no restricted translations'}, before ${key.grants || 'none'}`;
    yield* insertAudit({ at: nowText(), by, act: 'grant', keyId: key.id, note });
    return updated;
  }

  function* rotate(keySelector: string, by: string, overlap: string | null, seen?: string): SqlScript<NewKey> {
    const at = nowText();
    const old = yield* findKey(keySelector);
    if (seen !== undefined && seen !== old.last4)
      throw new KeyRequestError(`Key ${old.id} was rotated already, and ends in ${old.last4} now.`);
    const isPastExpiry = overlap !== null && old.expiresAt !== null && overlap > old.expiresAt;
    const issued = yield* issuer.replaceToken(old, at, isPastExpiry ? old.expiresAt : overlap);
    const { id, last4, oldUntil } = issued.key;
    const end = oldUntil === null ? '' : `, which works until ${oldUntil}`;
    yield* insertAudit({ at, by, act: 'rotate', keyId: id, note: `...${last4} in place of ...${old.last4}${end}` });
    return issued;
  }

  return { findKey, issue, revoke, setLimits, setGrants, rotate };
}

function describeLimits(limits: Partial<KeyLimits>, before: KeyLimits): string {
  const describe = (name: 'requestsPerDay' | 'requestsPerMinute', period: string) =>
    `${limits[name] ?? 'the default number of'} requests a ${period}, before ${before[name] ?? 'the default number'}`;
  const day = limits.requestsPerDay === undefined ? [] : [describe('requestsPerDay', 'day')];
  const minute = limits.requestsPerMinute === undefined ? [] : [describe('requestsPerMinute', 'minute')];
  const addresses = `addresses: ${limits.addresses ?? 'none'}, before ${before.addresses ?? 'none'}`;
  return [...day, ...minute, ...(limits.addresses === undefined ? [] : [addresses])].join('; ');
}
