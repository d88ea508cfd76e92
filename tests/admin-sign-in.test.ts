import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openKeys } from '@lectern/keys';
import { send, withFolder } from '@lectern/testing';
import type { AdminFixture } from './support/admin-fixture';
import { operatorPassword, startAdminFixture } from './support/admin-fixture';
import type { BrowserClient } from './support/browser-client';
import { createBrowserClient, hiddenFields, visibleText } from './support/browser-client';
import { pepper, startEmbeddedLectern } from './support/embedded-lectern';

let operators: AdminFixture;
beforeAll(async () => {
  operators = await startAdminFixture();
});
afterAll(() => operators.lectern.close());

test('without a password there are no such pages', async () => {
  const without = await startEmbeddedLectern();
  try {
    const answers = await Promise.all(
      ['/admin', '/admin/sign-in', '/nowhere'].map((path) => send(`${without.origin}${path}`, { method: 'GET' })),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(answers[1]?.text).toBe(answers[2]?.text);
  } finally {
    await without.close();
  }
});

describe('signing in', () => {
  test('whoever is not signed in is asked to, and comes back to the page', async () => {
    const one = operators.createClient();
    const { status, headers } = await one.get('/admin/keys?search=ada%40example.org');
    expect(status).toBe(303);
    const signIn = headers.location ?? '';
    const answer = await one.submitForm(signIn, { password: operatorPassword });
    expect([answer.status, answer.headers.location]).toEqual([303, '/admin/keys?search=ada%40example.org']);
    const page = await one.get(answer.headers.location ?? '');
    expect([page.status, page.headers['cache-control'], page.text.includes('<script')]).toEqual([
      200,
      'no-store',
      false,
    ]);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
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
  ])("it leads to the operator's own pages alone, not to %j", async (to) => {
    const answer = await operators
      .createClient()
      .submitForm(`/admin/sign-in?to=${encodeURIComponent(to)}`, { password: operatorPassword });
    expect([answer.status, answer.headers.location]).toEqual([303, '/admin']);
    const forged = await operators.createClient().submitForm('/admin/sign-in', { password: operatorPassword, to });
    expect([forged.status, forged.headers.location]).toEqual([303, '/admin']);
  });

  test('the cookie is out of reach of scripts and other sites, ends within twelve hours, and its session is never the one the browser brought', async () => {
    const one = operators.createClient();
    one.cookies.set('lectern-operator', 'A'.repeat(43));
    const { headers } = await one.submitForm('/admin/sign-in', { password: operatorPassword });
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^lectern-operator=[\w-]{43}; Max-Age=43200; Path=\/admin; HttpOnly; SameSite=Strict$/),
    ]);
    const first = one.cookies.get('lectern-operator');
    expect(first).not.toBe('A'.repeat(43));
    const fixed = operators.createClient();
    fixed.cookies.set('lectern-operator', 'A'.repeat(43));
    expect((await fixed.get('/admin/keys')).status).toBe(303);

    const again = operators.createClient();
    again.cookies.set('lectern-operator', first ?? '');
    await again.post('/admin/sign-in', { ...(await signInFields(again)), password: operatorPassword });
    expect(again.cookies.get('lectern-operator')).not.toBe(first);
    expect((await one.get('/admin/keys')).status).toBe(303);
  });

  /** As from a sign-in page that was opened before somebody signed in elsewhere in the browser. */
  const signInFields = async (one: BrowserClient): Promise<Record<string, string>> => {
    const session = one.cookies.get('lectern-operator') ?? '';
    one.cookies.delete('lectern-operator');
    const fields = hiddenFields((await one.get('/admin/sign-in')).text);
    one.cookies.set('lectern-operator', session);
    return fields;
  };

  test.each([
    ['nothing', ''],
    ['another word', 'wrong'],
    ['the password and a blank', `${operatorPassword} `],
    ['the password in capitals', operatorPassword.toUpperCase()],
    ['15 kB', 'x'.repeat(15_000)],
  ])('%s is not the password', async (_, password) => {
    const one = operators.createClient();
    const { status, text } = await one.submitForm('/admin/sign-in', { password });
    expect([status, visibleText(text)]).toEqual([403, expect.stringContaining('The password is incorrect.')]);
    expect(password !== '' && text.includes(`value="${password}`)).toBe(false);
    expect((await one.get('/admin/keys')).status).toBe(303);
  });

  test('guessing from one address ends soon, also with the right password', async () => {
    const still = Date.parse('2026-03-01T10:00:00Z');
    const guarded = await startEmbeddedLectern({ trustedProxies: 'loopback', operatorPassword, now: () => still });
    try {
      const one = createBrowserClient(guarded.origin, '192.0.2.1');
      const statuses = [];
      for (let guess = 1; guess <= 12; guess += 1)
        statuses.push((await one.submitForm('/admin/sign-in', { password: `guess ${guess}` })).status);
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 403), 429, 429]);
      const { status, headers } = await one.submitForm('/admin/sign-in', { password: operatorPassword });
      expect([status, headers['retry-after']]).toEqual([429, '900']);
      expect(
        (
          await createBrowserClient(guarded.origin, '192.0.2.2').submitForm('/admin/sign-in', {
            password: operatorPassword,
          })
        ).status,
      ).toBe(303);
      const signIns = (await guarded.keys.audit(100)).filter(({ act }) => act.startsWith('sign-in'));
      expect(signIns).toHaveLength(11);
      expect(signIns[1]).toMatchObject({ by: 'operator', act: 'sign-in refused', note: 'from 192.0.2.1' });
    } finally {
      await guarded.close();
    }
  });

  test('a sign-in that another site sends is refused, and so is one without the token of its form', async () => {
    const one = operators.createClient();
    const headers = ['Content-Type', 'application/x-www-form-urlencoded', 'Sec-Fetch-Site', 'cross-site'];
    expect((await one.submitForm('/admin/sign-in', { password: operatorPassword }, { headers })).status).toBe(403);
    expect((await one.post('/admin/sign-in', { password: operatorPassword })).status).toBe(403);
    expect(one.cookies.has('lectern-operator')).toBe(false);
  });

  test('signing out ends the session, not only the cookie', async () => {
    const one = await operators.signIn();
    const secret = one.cookies.get('lectern-operator') ?? '';
    const { status, headers } = await one.post('/admin/sign-out', hiddenFields((await one.get('/admin/keys')).text));
    expect([status, headers.location, one.cookies.has('lectern-operator')]).toEqual([303, '/admin/sign-in', false]);
    one.cookies.set('lectern-operator', secret);
    expect((await one.get('/admin/keys')).status).toBe(303);
    expect(visibleText((await one.get('/admin/sign-in')).text)).toContain('Your session is over');
  });

  test('a session is over after twelve hours, and with it what its forms could do', async () => {
    await withFolder(async (folder) => {
      let time = Date.parse('2026-03-01T10:00:00Z');
      const keys = openKeys({ file: join(folder, 'keys.sqlite'), pepper, now: () => new Date(time) });
      const aging = await startEmbeddedLectern({ operatorPassword, keys });
      try {
        const { key } = await keys.issue({ email: 'aging@example.org', name: 'Aging', environment: 'test' }, 'a test');
        const one = createBrowserClient(aging.origin);
        await one.submitForm('/admin/sign-in', { password: operatorPassword });
        const path = `/admin/keys/${key.id}/revoke`;
        const fields = hiddenFields((await one.get(path)).text);
        time += 12 * 3_600_000 - 1;
        expect((await one.get(path)).status).toBe(200);
        time += 1;
        const { status, headers } = await one.post(path, fields);
        expect([status, headers.location]).toEqual([303, `/admin/sign-in?to=${encodeURIComponent(path)}`]);
        expect(await keys.show(key.id)).toMatchObject({ revokedAt: null });
        expect((await one.submitForm(headers.location ?? '', { password: operatorPassword })).headers.location).toBe(
          path,
        );
      } finally {
        await aging.close();
        await keys.close();
      }
    });
  });

  test('over https the cookies are bound to this host', async () => {
    const secure = await startEmbeddedLectern({ operatorPassword, secureCookies: true });
    try {
      const one = createBrowserClient(secure.origin);
      const { headers } = await one.submitForm('/admin/sign-in', { password: operatorPassword });
      expect(headers['set-cookie']).toEqual([
        expect.stringMatching(
          /^__Host-lectern-operator=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
        ),
      ]);
      expect((await one.get('/admin/keys')).status).toBe(200);
    } finally {
      await secure.close();
    }
  });
});

describe("nobody else's page acts for an operator", () => {
  const form = ['Content-Type', 'application/x-www-form-urlencoded'];
  const attempts = async () => {
    const { key } = await operators.lectern.keys.issue(
      { email: `${randomUUID()}@example.org`, name: 'Victim', environment: 'test' },
      'a test',
    );
    const one = await operators.signIn();
    const path = `/admin/keys/${key.id}/revoke`;
    const { csrf = '' } = hiddenFields((await one.get(path)).text);
    const isGood = async () => (await operators.lectern.keys.show(key.id)).revokedAt === null;
    return { one, path, csrf, isGood };
  };

  test.each([
    ['Sec-Fetch-Site', 'cross-site'],
    ['Sec-Fetch-Site', 'same-site'],
    ['Origin', 'https://evil.example'],
  ])('%s: %s', async (...header) => {
    const { one, path, csrf, isGood } = await attempts();
    expect([(await one.post(path, { csrf }, { headers: [...form, ...header] })).status, await isGood()]).toEqual([
      403,
      true,
    ]);
  });

  test("without the session's token, or with another session's", async () => {
    const { one, path, isGood } = await attempts();
    const other = hiddenFields((await (await operators.signIn()).get('/admin/keys')).text);
    for (const fields of [{}, { csrf: '' }, { csrf: 'x' }, other])
      expect((await one.post(path, fields)).status).toBe(403);
    expect(await isGood()).toBe(true);
  });

  test('without a session', async () => {
    const { path, csrf, isGood } = await attempts();
    expect([(await operators.createClient().post(path, { csrf })).status, await isGood()]).toEqual([303, true]);
  });

  test('as anything but a small form', async () => {
    const { one, path, csrf, isGood } = await attempts();
    expect(
      (await one.post(path, JSON.stringify({ csrf }), { headers: ['Content-Type', 'application/json'] })).status,
    ).toBe(415);
    expect((await one.post(path, { csrf, more: 'x'.repeat(17_000) })).status).toBe(413);
    expect(await isGood()).toBe(true);
  });
});
