import { useStarted } from '@lectern/testing';
import { startEmbeddedLectern } from './embedded-lectern';
import { createBrowserClient } from './form-client';

export const formPath = '/api-keys/request';
export const validFields = {
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  description: 'A reading plan for my family.',
};

/** Starts an embedded service that accepts five key requests an hour from an IP address, for the tests of a file. */
export function useKeyRequestForm(options: { now?: () => number } = {}) {
  const rates = { perMinute: 0, keyPerMinute: 0, perDay: 0, keyRequestsPerHour: 5 };
  const lectern = useStarted(() => startEmbeddedLectern({ trustedProxies: 'loopback', rates, ...options }));
  let clients = 0;
  return {
    lectern,
    /** Creates a client with an IP address of its own, because the rate limit counts the forms of each address. */
    createClient: () => {
      clients += 1;
      return createBrowserClient(lectern.origin, `198.51.100.${clients}`);
    },
    /** Returns the saved key requests of an email address, in upper or lower case. */
    savedRequests: async (email: string) =>
      (await lectern.keys.requests()).filter((request) => request.email.toLowerCase() === email.toLowerCase()),
  };
}
