import type { IncomingMessage } from 'node:http';
import { errors, isCatalogueError } from '@lectern/errors';
import type { CatalogueError } from '@lectern/errors';
import type { KeyRecord } from '@lectern/keys';
import type { Authenticate } from '../auth';
import type { Allowance, Asker, Rate, Taken } from './rate';

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
export const createAdmission = ({ authenticate, rate, addressOf, allowances }: AdmissionParts) => async (request: IncomingMessage): Promise<Admission | Spent> => {
  const asker: Asker = { allowance: allowances.address, who: addressOf(request) };
  // Whoever is over is not worth a look at his key, nor a question to a store that is shared.
  const spent = rate.spent(asker);
  if (spent) return { spent };

  const key = await authenticate(request.rawHeaders).catch(refusalOnly);
  if (isCatalogueError(key)) {
    // A store of keys that is away is no fault of the caller's.
    if (key.extensions.code === errors.keysUnavailable.code) throw key;
    const [address] = await rate.take([asker]);
    if (!address.allowed) return { spent: address };
    throw key;
  }
  const taken = rate.take([asker, { allowance: allowances.key, who: key.id, most: key.requestsPerDay }]);
  const [address, quota] = taken instanceof Promise ? await taken : taken;
  return quota ? { key, address, quota } : { spent: address };
};

function refusalOnly(error: unknown): CatalogueError {
  if (isCatalogueError(error)) return error;
  throw error;
}
