import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KeyRequest } from '@lectern/keys';
import type { Email } from 'postal-mime';
import PostalMime from 'postal-mime';
import type { BrowserClient } from './browser-client';
import { createBrowserClient } from './browser-client';
import type { EmbeddedLectern } from './embedded-lectern';
import { startEmbeddedLectern } from './embedded-lectern';

export const operatorPassword = 'correct horse battery staple';

export interface AdminFixture {
  lectern: EmbeddedLectern;
  /** Each from an address of its own, for attempts to sign in are counted by address. */
  createClient(): BrowserClient;
  signIn(): Promise<BrowserClient>;
  /** A request as the form would have kept it. */
  requestKey(email: string, name?: string, description?: string): Promise<KeyRequest>;
  /** The mails to an address, oldest first. */
  mailsTo(email: string): Promise<Email[]>;
}

/** The whole service with its operator's pages, and those who use them. */
export async function startAdminFixture(
  options: Parameters<typeof startEmbeddedLectern>[0] = {},
): Promise<AdminFixture> {
  const lectern = await startEmbeddedLectern({ trustedProxies: 'loopback', operatorPassword, ...options });
  let visitors = 0;
  const createClient = (): BrowserClient => {
    visitors += 1;
    return createBrowserClient(lectern.origin, `203.0.113.${visitors}`);
  };
  return {
    lectern,
    createClient,
    async signIn() {
      const one = createClient();
      const { status } = await one.submitForm('/admin/sign-in', { password: operatorPassword });
      if (status !== 303) throw new Error(`signing in was answered with ${status}`);
      return one;
    },
    async requestKey(email, name = 'Ada Lovelace', description = 'A reading plan.') {
      await lectern.keys.submitRequest({ email, name, description, environment: 'test' });
      const request = (await lectern.keys.requests('pending')).find((each) => each.email === email);
      if (!request) throw new Error(`no request of ${email}`);
      return request;
    },
    async mailsTo(email) {
      const outbox = join(dirname(lectern.keysFile), 'outbox');
      const mails = await Promise.all(
        readdirSync(outbox)
          .filter((name) => name.endsWith('.eml'))
          .sort()
          .map((name) => PostalMime.parse(readFileSync(join(outbox, name)))),
      );
      return mails.filter((mail) => mail.to?.some(({ address }) => address === email));
    },
  };
}
