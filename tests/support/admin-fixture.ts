import { dirname, join } from 'node:path';
import type { KeyRequest } from '@lectern/keys';
import type { Email } from 'postal-mime';
import type { EmbeddedLectern } from './embedded-lectern';
import { startEmbeddedLectern } from './embedded-lectern';
import type { BrowserClient } from './form-client';
import { createBrowserClient } from './form-client';
import { graphqlStatus } from './graphql-status';
import { readOutbox } from './outbox';

export const operatorPassword = 'correct horse battery staple';

/** An embedded service with the operator's pages (`/admin`), and HTTP clients for these pages. */
export interface AdminFixture {
  lectern: EmbeddedLectern;
  /** The folder that the service writes emails to. */
  outbox: string;
  /** Creates a client with its own IP address, because the service limits sign-ins per address. */
  createClient(): BrowserClient;
  /** Signs in as the operator. Returns the client that has the session cookie. */
  signIn(): Promise<BrowserClient>;
  /** Saves a request for an API key, as the public form `/api-keys/request` does. */
  requestKey(email: string, name?: string, description?: string): Promise<KeyRequest>;
  /** Reads the emails to this address from the outbox, oldest first. */
  mailsTo(email: string): Promise<Email[]>;
  /** Resolves with the status of the response to a GraphQL request with this API key. */
  statusWith(token: string): Promise<number>;
}

/** Returns the API key of the test environment in a mail or a page, or '' if there is none. */
export const keyIn = (text = ''): string => /svc_test_[\w-]{49}/.exec(text)?.[0] ?? '';

export async function startAdminFixture(
  options: Parameters<typeof startEmbeddedLectern>[0] = {},
): Promise<AdminFixture> {
  const lectern = await startEmbeddedLectern({ trustedProxies: 'loopback', operatorPassword, ...options });
  const outbox = join(dirname(lectern.keysFile), 'outbox');
  let clients = 0;
  const createClient = (): BrowserClient => {
    clients += 1;
    return createBrowserClient(lectern.origin, `203.0.113.${clients}`);
  };
  return {
    lectern,
    outbox,
    createClient,
    async signIn() {
      const client = createClient();
      const { status } = await client.submitForm('/admin/sign-in', { password: operatorPassword });
      if (status !== 303) throw new Error(`sign-in failed with status ${status}`);
      return client;
    },
    async requestKey(email, name = 'Ada Lovelace', description = 'A reading plan.') {
      await lectern.keys.submitRequest({ email, name, description, environment: 'test' });
      const request = (await lectern.keys.requests('pending')).find((each) => each.email === email);
      if (!request) throw new Error(`no request of ${email}`);
      return request;
    },
    async mailsTo(email) {
      return (await readOutbox(outbox)).filter((mail) => mail.to?.some(({ address }) => address === email));
    },
    statusWith: (token) => graphqlStatus(lectern.url, token),
  };
}
