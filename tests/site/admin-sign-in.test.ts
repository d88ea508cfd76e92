import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openKeys } from '@lectern/keys';
import { withFolder } from '@lectern/testing';
import type { AdminFixture } from '../support/admin-fixture';
import { operatorPassword, startAdminFixture } from '../support/admin-fixture';
import { issueKey, pepper, startEmbeddedLectern } from '../support/embedded-lectern';
import type { BrowserClient } from '../support/form-client';
import { createBrowserClient, hiddenFields, visibleText } from '../support/form-client';
import { createRecordedLog } from '../support/recorded-log';

/** The service's clock stands still, so that no window of a rate limit ends during a test. */
const now = Date.parse('2026-03-01T10:00:00Z');
let admin: AdminFixture;
beforeAll(async () => {
  admin = await startAdminFixture({ now: () => now });
});
afterAll(() => admin.lectern.close());

/** Sends the sign-in form with each of these passwords. Returns the statuses of the responses. */
async function trySignIn(client: BrowserClient, passwords: readonly string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const password of passwords) {
    statuses.push((await client.submitForm('/admin/sign-in', { password })).status);
    client.cookies.delete('lectern-operator');
  }
  return statuses;
}
const tenGuesses = Array.from({ length: 10 }, (_, index) => `guess ${index}`);
const tenRejections = tenGuesses.map(() => 403);

describe('operator sign-in', () => {
  test('an operator page without a session leads to the sign-in page, and after sign-in back to the page', async () => {
    const client = admin.createClient();
    const { status, headers } = await client.get('/admin/keys?search=ada%40example.org');
    expect(status).toBe(303);
    const signIn = headers.location ?? '';
    const response = await client.submitForm(signIn, { password: operatorPassword });
    expect([response.status, response.headers.location]).toEqual([303, '/admin/keys?search=ada%40example.org']);
    const page = await client.get(response.headers.location ?? '');
    expect([page.status, page.headers['cache-control'], page.text.includes('<script')]).toEqual([
      200,
      'no-store',
      false,
    ]);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  });

  test('with a password for each operator, the audit log names who signed in, acted and signed out', async () => {
    const lectern = await startEmbeddedLectern({ operatorPassword: 'olga:correct horse,Piet:battery staple' });
    const fields = { email: 'named@example.org', name: 'Named', environment: 'test' };
    const piet = createBrowserClient(lectern.origin);
    expect(await trySignIn(piet, ['olga:correct horse', 'correct horse,Piet', 'Piet'])).toEqual([403, 403, 403]);
    await piet.submitForm('/admin/sign-in', { password: 'battery staple' });
    await piet.submitForm('/admin/new-key', fields);
    const olga = createBrowserClient(lectern.origin);
    await olga.submitForm('/admin/sign-in', { password: 'correct horse' });
    const [key] = (await lectern.keys.list()).slice(-1);
    await olga.submitForm(`/admin/keys/${key?.id}/revoke`, {});
    const { csrf = '' } = hiddenFields((await olga.get('/admin/keys')).text);
    await olga.post('/admin/sign-out', { csrf });
    expect((await olga.get('/admin/keys')).status).toBe(303);
    expect((await lectern.keys.audit(8)).map(({ by, act }) => [by, act])).toEqual([
      ['olga', 'sign-out'],
      ['olga', 'revoke'],
      ['olga', 'sign-in'],
      ['Piet', 'issue'],
      ['Piet', 'sign-in'],
      ['operator', 'sign-in rejected'],
      ['operator', 'sign-in rejected'],
      ['operator', 'sign-in rejected'],
    ]);
    await lectern.close();
  });

  test.each([
    '//evil.example',
    'https://evil.example/admin',
    '/admin/../graphql',
    '/admin/%2e%2e/x',
    '/admin\\evil.example',
    '/admin@evil.example',
    '/administrator',
    '/admin/keys#x',
    '/admin?\r\nX: y',
    '/admin/sign-in',
  ])('operator sign-in redirects to /admin if the path to return to is unsafe: %j', async (to) => {
    const response = await admin
      .createClient()
      .submitForm(`/admin/sign-in?to=${encodeURIComponent(to)}`, { password: operatorPassword });
    expect([response.status, response.headers.location]).toEqual([303, '/admin']);
    const forged = await admin.createClient().submitForm('/admin/sign-in', { password: operatorPassword, to });
    expect([forged.status, forged.headers.location]).toEqual([303, '/admin']);
  });

  test('a page for operators redirects a request with a query of 15,000 characters to a short URL of the sign-in page', async () => {
    const { status, headers } = await admin.createClient().get(`/admin/keys?page=${'='.repeat(15_000)}`);
    expect([status, headers.location]).toEqual([303, '/admin/sign-in?to=%2Fadmin']);
  });

  test('sign-in sets an HttpOnly, SameSite=Strict cookie for twelve hours, and replaces any cookie that was sent', async () => {
    const client = admin.createClient();
    client.cookies.set('lectern-operator', 'A'.repeat(43));
    const { headers } = await client.submitForm('/admin/sign-in', { password: operatorPassword });
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^lectern-known-browser=[\w.-]+; Max-Age=15552000; Path=\/admin; HttpOnly; SameSite=Strict$/,
      ),
      expect.stringMatching(/^lectern-operator=[\w-]{43}; Max-Age=43200; Path=\/admin; HttpOnly; SameSite=Strict$/),
    ]);
    const first = client.cookies.get('lectern-operator');
    expect(first).not.toBe('A'.repeat(43));
    const fixationClient = admin.createClient();
    fixationClient.cookies.set('lectern-operator', 'A'.repeat(43));
    expect((await fixationClient.get('/admin/keys')).status).toBe(303);

    const again = admin.createClient();
    again.cookies.set('lectern-operator', first ?? '');
    await again.post('/admin/sign-in', { ...(await signInFields(again)), password: operatorPassword });
    expect(again.cookies.get('lectern-operator')).not.toBe(first);
    expect((await client.get('/admin/keys')).status).toBe(303);
  });

  /**
   * Returns the hidden fields of the sign-in form. Opens the form without the client's session
   * cookie, because /admin/sign-in redirects a client that is signed in.
   */
  const signInFields = async (client: BrowserClient): Promise<Record<string, string>> => {
    const session = client.cookies.get('lectern-operator') ?? '';
    client.cookies.delete('lectern-operator');
    const fields = hiddenFields((await client.get('/admin/sign-in')).text);
    client.cookies.set('lectern-operator', session);
    return fields;
  };

  test.each([
    ['an empty password', ''],
    ['a wrong password', 'wrong'],
    ['the password with a space at its end', `${operatorPassword} `],
    ['the password in capitals', operatorPassword.toUpperCase()],
    ['a wrong password of 15 kB', 'x'.repeat(15_000)],
  ])('operator sign-in rejects %s with 403', async (_, password) => {
    const client = admin.createClient();
    const { status, text } = await client.submitForm('/admin/sign-in', { password });
    expect([status, visibleText(text)]).toEqual([403, expect.stringContaining('The password is incorrect.')]);
    expect(password !== '' && text.includes(`value="${password}`)).toBe(false);
    expect((await client.get('/admin/keys')).status).toBe(303);
  });

  test('the eleventh attempt to sign in as operator from one IP address gets 429, even with the right password', async () => {
    const client = createBrowserClient(admin.lectern.origin, '192.0.2.1');
    expect(await trySignIn(client, [...tenGuesses, 'guess', 'guess'])).toEqual([...tenRejections, 429, 429]);
    const { status, headers } = await client.submitForm('/admin/sign-in', { password: operatorPassword });
    expect([status, headers['retry-after']]).toEqual([429, '900']);
    const otherClient = createBrowserClient(admin.lectern.origin, '192.0.2.2');
    expect((await otherClient.submitForm('/admin/sign-in', { password: operatorPassword })).status).toBe(303);
    const signIns = (await admin.lectern.keys.audit(1_000)).filter(
      ({ act, note }) => act.startsWith('sign-in') && note.startsWith('from 192.0.2.'),
    );
    expect(signIns).toHaveLength(11);
    expect(signIns[1]).toMatchObject({ by: 'operator', act: 'sign-in rejected', note: 'from 192.0.2.1' });
  });

  test('a browser that has signed in before may try ten passwords after another client has used up the attempts', async () => {
    const operatorClient = createBrowserClient(admin.lectern.origin, '192.0.2.3');
    expect((await operatorClient.submitForm('/admin/sign-in', { password: operatorPassword })).status).toBe(303);
    operatorClient.cookies.delete('lectern-operator');
    const stranger = createBrowserClient(admin.lectern.origin, '192.0.2.3');
    await trySignIn(stranger, tenGuesses);
    const [name = '', value = ''] = [...operatorClient.cookies].find(([each]) => each.includes('known')) ?? [];
    for (const forged of [`${value}x`, value.replace(/^\d/, '9'), 'x', '']) {
      stranger.cookies.set(name, forged);
      expect((await stranger.submitForm('/admin/sign-in', { password: operatorPassword })).status).toBe(429);
    }
    const passwords = [...tenGuesses.slice(1), operatorPassword, operatorPassword];
    expect(await trySignIn(operatorClient, passwords)).toEqual([...tenRejections.slice(1), 303, 429]);
  });

  test('the gateway warns once about a proxy that TRUSTED_PROXIES lacks, and the exhausted sign-in page names it', async () => {
    const { log, lines } = createRecordedLog('warn');
    const untrusting = await startEmbeddedLectern({ operatorPassword, log, now: () => now });
    const client = createBrowserClient(untrusting.origin, '192.0.2.4');
    await trySignIn(client, tenGuesses);
    const { status, text } = await client.submitForm('/admin/sign-in', { password: 'guess' });
    expect(status).toBe(429);
    expect(visibleText(text)).toContain(
      'All clients share these attempts, because the service does not trust the proxy in front of it: the operator can set TRUSTED_PROXIES.',
    );
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      {
        level: 'warn',
        proxy: expect.stringContaining('127.0.0.1'),
        msg: 'X-Forwarded-For is ignored, because its sender is not in TRUSTED_PROXIES: if it is your proxy, all its clients share one rate limit',
      },
    ]);
    await untrusting.close();
    const trusted = createBrowserClient(admin.lectern.origin, '192.0.2.5');
    await trySignIn(trusted, tenGuesses);
    expect((await trusted.submitForm('/admin/sign-in', { password: 'guess' })).text).not.toContain('TRUSTED_PROXIES');
  });

  test('operator sign-in responds 403 to a form from another site and to a form without its CSRF token', async () => {
    const client = admin.createClient();
    const headers = ['Content-Type', 'application/x-www-form-urlencoded', 'Sec-Fetch-Site', 'cross-site'];
    expect((await client.submitForm('/admin/sign-in', { password: operatorPassword }, { headers })).status).toBe(403);
    expect((await client.post('/admin/sign-in', { password: operatorPassword })).status).toBe(403);
    expect(client.cookies.has('lectern-operator')).toBe(false);
  });

  test('operator sign-out ends the session in the key store and removes the cookie', async () => {
    const client = await admin.signIn();
    const secret = client.cookies.get('lectern-operator') ?? '';
    const { status, headers } = await client.post(
      '/admin/sign-out',
      hiddenFields((await client.get('/admin/keys')).text),
    );
    expect([status, headers.location, client.cookies.has('lectern-operator')]).toEqual([303, '/admin/sign-in', false]);
    client.cookies.set('lectern-operator', secret);
    expect((await client.get('/admin/keys')).status).toBe(303);
    expect(visibleText((await client.get('/admin/sign-in')).text)).toContain('Your session is over');
  });

  test('an operator session ends after twelve hours, and a form of the session then redirects to sign-in', async () => {
    await withFolder(async (folder) => {
      let time = Date.parse('2026-03-01T10:00:00Z');
      const keys = openKeys({ file: join(folder, 'keys.sqlite'), pepper, now: () => new Date(time) });
      const aging = await startEmbeddedLectern({ operatorPassword, keys });
      try {
        const { key } = await issueKey(keys, { email: 'aging@example.org' });
        const client = createBrowserClient(aging.origin);
        await client.submitForm('/admin/sign-in', { password: operatorPassword });
        const path = `/admin/keys/${key.id}/revoke`;
        const fields = hiddenFields((await client.get(path)).text);
        time += 12 * 3_600_000 - 1;
        expect((await client.get(path)).status).toBe(200);
        time += 1;
        const { status, headers } = await client.post(path, fields);
        expect([status, headers.location]).toEqual([303, `/admin/sign-in?to=${encodeURIComponent(path)}`]);
        expect(await keys.show(key.id)).toMatchObject({ revokedAt: null });
        expect((await client.submitForm(headers.location ?? '', { password: operatorPassword })).headers.location).toBe(
          path,
        );
      } finally {
        await aging.close();
        await keys.close();
      }
    });
  });
});

describe('forged requests of an operator', () => {
  const form = ['Content-Type', 'application/x-www-form-urlencoded'];
  const prepareRevocation = async () => {
    const { key } = await issueKey(admin.lectern.keys, { email: `${randomUUID()}@example.org` });
    const client = await admin.signIn();
    const path = `/admin/keys/${key.id}/revoke`;
    const { csrf = '' } = hiddenFields((await client.get(path)).text);
    const isActive = async () => (await admin.lectern.keys.show(key.id)).revokedAt === null;
    return { client, path, csrf, isActive };
  };

  test.each([
    ['Sec-Fetch-Site', 'cross-site'],
    ['Sec-Fetch-Site', 'same-site'],
    ['Origin', 'https://evil.example'],
  ])('an operator form rejects a POST with the header %s: %s', async (...header) => {
    const { client, path, csrf, isActive } = await prepareRevocation();
    expect([(await client.post(path, { csrf }, { headers: [...form, ...header] })).status, await isActive()]).toEqual([
      403,
      true,
    ]);
  });

  test('an operator form rejects a POST whose CSRF token is missing or belongs to another session', async () => {
    const { client, path, isActive } = await prepareRevocation();
    const otherFields = hiddenFields((await (await admin.signIn()).get('/admin/keys')).text);
    for (const fields of [{}, { csrf: '' }, { csrf: 'x' }, otherFields])
      expect((await client.post(path, fields)).status).toBe(403);
    expect(await isActive()).toBe(true);
  });

  test('an operator form redirects a POST without a session to sign-in', async () => {
    const { path, csrf, isActive } = await prepareRevocation();
    const { status, headers } = await admin.createClient().post(path, { csrf });
    expect([status, headers.location, await isActive()]).toEqual([
      303,
      `/admin/sign-in?to=${encodeURIComponent(path)}`,
      true,
    ]);
  });

  test('an operator form responds 415 to a POST of JSON and 413 to a form of more than 16 kB', async () => {
    const { client, path, csrf, isActive } = await prepareRevocation();
    expect(
      (await client.post(path, JSON.stringify({ csrf }), { headers: ['Content-Type', 'application/json'] })).status,
    ).toBe(415);
    expect((await client.post(path, { csrf, more: 'x'.repeat(17_000) })).status).toBe(413);
    expect(await isActive()).toBe(true);
  });
});
