import type { IncomingMessage } from 'node:http';
import type { CatalogueError } from '@lectern/errors';
import { errors, isCatalogueError } from '@lectern/errors';
import type { KeyRecord } from '@lectern/keys';
import type { Awaitable } from '../when-known';
import { whenKnown } from '../when-known';
import type { Authenticate } from './authenticate';
import type { Allowance, Asker, Rate, Taken } from './rate-limiter';

export interface Admission {
  readonly key: KeyRecord;
  /** What its address has left of this minute. */
  readonly address: Taken;
  /** What the key has left of its day; it may be over, which is told only to a request that is otherwise good. */
  readonly quota: Taken;
}

export interface AdmissionParts {
  authenticate: Authenticate;
  rate: Rate;
  addressOf: (request: IncomingMessage) => string;
  allowances: { readonly address: Allowance; readonly key: Allowance };
}

/** An address that has no more requests. `address` is for the headers of the answer. */
export interface Spent {
  readonly spent: Taken;
}

/**
 * Lets a request in by its address and its key, and counts both in one step. The address is judged first, and counts also when the
 * key is refused. Throws the error of a key that is none.
 */
export function createAdmission({
  authenticate,
  rate,
  addressOf,
  allowances,
}: AdmissionParts): (request: IncomingMessage) => Awaitable<Admission | Spent> {
  const refused = (asker: Asker, error: CatalogueError): Awaitable<Spent> => {
    // A store of keys that is away is no fault of the caller's.
    if (error.extensions.code === errors.keysUnavailable.code) throw error;
    return whenKnown(rate.take([asker]), ([address]) => {
      if (address.allowed) throw error;
      return { spent: address };
    });
  };

  return (request) => {
    const asker: Asker = { allowance: allowances.address, who: addressOf(request) };
    // Whoever is over is not worth a look at his key, nor a question to a store that is shared.
    const spent = rate.spent(asker);
    if (spent) return { spent };
    return whenKnown<KeyRecord | CatalogueError, Admission | Spent>(authenticate(request.rawHeaders), (key) => {
      if (isCatalogueError(key)) return refused(asker, key);
      return whenKnown(
        rate.take([asker, { allowance: allowances.key, who: key.id, most: key.requestsPerDay }]),
        ([address, quota]) => (quota ? { key, address, quota } : { spent: address }),
      );
    });
  };
}
