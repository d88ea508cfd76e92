import { createMetrics, noTelemetry } from '@lectern/telemetry';
import { metricValue } from '@lectern/testing';
import type { AdminFixture } from '../support/admin-fixture';
import { operatorPassword, startAdminFixture } from '../support/admin-fixture';
import { issueKey } from '../support/embedded-lectern';
import type { BrowserClient } from '../support/form-client';
import { hiddenFields, visibleText } from '../support/form-client';

const metrics = createMetrics({ service: 'lectern' });
let admin: AdminFixture;
let reader: BrowserClient;
beforeAll(async () => {
  admin = await startAdminFixture({ telemetry: { ...noTelemetry, metrics } });
  reader = await signInWithKey(admin.lectern.token);
});
afterAll(() => admin.lectern.close());

const signInPath = '/concordance/sign-in';

async function signInWithKey(key: string, to = ''): Promise<BrowserClient> {
  const client = admin.createClient();
  const { status } = await client.submitForm(`${signInPath}?to=${encodeURIComponent(to)}`, { key });
  expect(status).toBe(303);
  return client;
}

test('the operation metrics count the GraphQL operation that the server executes for a concordance page', async () => {
  const count = async () =>
    metricValue(
      await metrics.text(),
      'lectern_operation_duration_seconds_count',
      'graphql_operation_name="ConcordancePage",graphql_operation_type="query",outcome="ok"',
    );
  const before = await count();
  expect((await reader.get('/concordance/spa-rv1909/amor')).status).toBe(200);
  expect(await count()).toBe(before + 1);
});

describe('sign-in to the concordance pages with an API key', () => {
  test('a concordance page redirects to the sign-in page, and signing in with an API key redirects back', async () => {
    const path = '/concordance/spa-rv1909/ni%C3%B1o';
    const client = admin.createClient();
    const { status, headers } = await client.get(path);
    expect([status, headers.location]).toEqual([303, `${signInPath}?to=${encodeURIComponent(path)}`]);
    const signedIn = await client.submitForm(headers.location ?? '', { key: ` ${admin.lectern.token} ` });
    expect([signedIn.status, signedIn.headers.location]).toEqual([303, path]);
    const page = await client.get(path);
    expect(page.status).toBe(200);
    expect(visibleText(page.text)).toContain('Concordance: niño');
  });

  test('the cookie of a reader who signed in with an API key is HttpOnly, is sent to concordance pages only and does not contain the key', async () => {
    const client = admin.createClient();
    const { headers } = await client.submitForm(signInPath, { key: admin.lectern.token });
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^lectern-key=\d+\.[0-9a-f-]{36}\.[\w-]{43}; Max-Age=43200; Path=\/concordance; HttpOnly; SameSite=Strict$/,
      ),
    ]);
    expect(headers['set-cookie']?.join()).not.toContain(admin.lectern.token);
  });

  test('the cookie of a reader who signed in with an API key gives no access to /graphql', async () => {
    expect(
      (await reader.post('/graphql', '{"query":"{ __typename }"}', { headers: ['Content-Type', 'application/json'] }))
        .status,
    ).toBe(401);
  });

  const invalidKeys = ['svc_test_unknown', '', 'svc_live_key', 'x'.repeat(5_000), '\0', '<script>'];
  test.each(invalidKeys.map((key) => [key.slice(0, 30), key]))(
    'the sign-in with an API key rejects the invalid key %j with 403, does not show the key, and sets no session cookie',
    async (_, key) => {
      const { status, text, headers } = await admin.createClient().submitForm(signInPath, { key });
      expect(status).toBe(403);
      expect(text).toContain('This key is not valid here.');
      expect(text).not.toContain('value="svc_');
      expect(key !== '' && text.includes(key)).toBe(false);
      expect((headers['set-cookie'] ?? []).join()).not.toContain('lectern-key');
    },
  );

  test('the sign-in with an API key responds 403 to a form from another site and to a forged CSRF token, and 429 after too many wrong keys', async () => {
    const client = admin.createClient();
    const fields = hiddenFields((await client.get(signInPath)).text);
    const form = { ...fields, key: admin.lectern.token };
    expect(
      (
        await client.post(signInPath, form, {
          headers: ['Content-Type', 'application/x-www-form-urlencoded', 'Sec-Fetch-Site', 'cross-site'],
        })
      ).status,
    ).toBe(403);
    expect((await client.post(signInPath, { ...form, token: 'forged' })).status).toBe(403);
    let last = 0;
    for (let attempt = 0; attempt < 10; attempt += 1)
      ({ status: last } = await client.post(signInPath, { ...fields, key: 'wrong' }));
    expect(last).toBe(429);
  });

  test.each([
    'https://example.org/',
    '//example.org',
    '/admin',
    '/concordance/../admin',
    '/concordance/a/b/c',
    '/concordance/x/"><script>',
  ])(
    'the sign-in with an API key redirects to the concordance form if the path to return to is unsafe: %j',
    async (to) => {
      const client = admin.createClient();
      const response = await client.submitForm(`${signInPath}?to=${encodeURIComponent(to)}`, {
        key: admin.lectern.token,
      });
      expect([response.status, response.headers.location]).toEqual([303, '/concordance']);
    },
  );

  test('a concordance page redirects to the sign-in page if the cookie is forged, changed or belongs to a revoked key', async () => {
    const { token, key } = await issueKey(admin.lectern.keys, { email: 'revoked@example.org' });
    const client = await signInWithKey(token);
    const cookie = client.cookies.get('lectern-key') ?? '';
    const statusWith = async (value: string): Promise<number> => {
      client.cookies.set('lectern-key', value);
      return (await client.get('/concordance')).status;
    };
    expect(await statusWith(cookie)).toBe(200);
    const [expiresAt = '', id = '', signature = ''] = cookie.split('.');
    for (const forged of [
      '',
      'x',
      `${Number(expiresAt) + 1}.${id}.${signature}`,
      `${expiresAt}.${admin.lectern.token}.${signature}`,
    ])
      expect(await statusWith(forged)).toBe(303);
    await admin.lectern.keys.revoke(key.id, 'a test');
    expect(await statusWith(cookie)).toBe(303);
  });

  test('signing out of the concordance pages removes the cookie of the API key', async () => {
    const client = await signInWithKey(admin.lectern.token);
    const { status, headers } = await client.post(
      '/concordance/sign-out',
      hiddenFields((await client.get('/concordance')).text),
    );
    expect([status, headers.location]).toEqual([303, signInPath]);
    expect((await client.get('/concordance')).status).toBe(303);
  });

  test('an operator can open the concordance pages, and operator sign-in leads back to the requested concordance page', async () => {
    const path = '/concordance/eng-web/shepherd';
    const client = admin.createClient();
    const { headers } = await client.submitForm(`/admin/sign-in?to=${encodeURIComponent(path)}`, {
      password: operatorPassword,
    });
    expect(headers.location).toBe(path);
    const page = await client.get(path);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('/concordance/sign-out');
  });
});

describe('the concordance page of a word', () => {
  test('the concordance page of a word shows counts, a chart of the books, collocates and lines of text, without scripts', async () => {
    const { status, text, headers } = await reader.get('/concordance/spa-rv1909/amor');
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(text).not.toMatch(/<script|style="/);
    const shown = visibleText(text);
    expect(shown).toContain('187 occurrences in 170 verses');
    expect(text).toContain('<svg class="chart" role="img" aria-labelledby="chart-title chart-description"');
    expect(text.match(/<rect /g)).toHaveLength((text.match(/<text /g) ?? []).length / 2);
    expect(text).toContain('<a href="/concordance/spa-rv1909/Cristo">');
    expect(text.match(/<mark>/g)?.length).toBeGreaterThanOrEqual(10);
    expect(shown).toContain('The API has all 170 verses');
  });

  test('the concordance form redirects to the page of the word, even if the word has characters that are reserved in URLs', async () => {
    const query = new URLSearchParams({ translation: 'spa-rv1909', word: ' señor/jehová? ' });
    const { status, headers } = await reader.get(`/concordance?${query.toString()}`);
    expect([status, headers.location]).toEqual([303, '/concordance/spa-rv1909/se%C3%B1or%2Fjehov%C3%A1%3F']);
    const page = await reader.get(headers.location ?? '');
    expect([page.status, visibleText(page.text).includes('Concordance: señor/jehová?')]).toEqual([200, true]);
    const start = await reader.get('/concordance/?translation=spa-rv1909');
    expect([start.status, start.text.match(/<option value="(?:eng|spa)-/g)?.length]).toEqual([200, 3]);
  });

  test.each([
    ['/concordance/spa-rv1909/%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E', 200],
    ["/concordance/spa-rv1909/'onload='", 200],
    ['/concordance/spa-rv1909/xyzzy', 200],
    ['/concordance/spa-rv1909/%E6%84%9B', 200],
    ['/concordance/spa-rv1909/%00', 400],
    ['/concordance/spa-rv1909/%20', 400],
    [`/concordance/spa-rv1909/${'a'.repeat(101)}`, 400],
    ['/concordance/spa-none/amor', 404],
    ['/concordance/%3Cscript%3E/amor', 404],
    ['/concordance/%00/amor', 404],
    ['/concordance/spa-rv1909/%E0%A4%A', 404],
    ['/concordance/spa-rv1909', 404],
    ['/concordance/spa-rv1909/amor/', 404],
    ['/concordance/spa-rv1909/a/b', 404],
  ])('the concordance page at the path %s has the status %i and escapes markup of the path', async (path, expected) => {
    const { status, text } = await reader.get(path);
    expect(status).toBe(expected);
    expect(text).not.toMatch(/<script|\0| onload='/);
  });

  test('the concordance page says so if no verse has the word or if the translation is unknown', async () => {
    expect(visibleText((await reader.get('/concordance/spa-rv1909/xyzzy')).text)).toMatch(
      /No verse of .+ has the word xyzzy\./,
    );
    expect(visibleText((await reader.get('/concordance/spa-none/amor')).text)).toContain(
      "Translation 'spa-none' not found.",
    );
  });

  test('each concordance page counts as one request of the API key, and a page beyond the rate limit of the key has the status 429', async () => {
    const { token } = await issueKey(admin.lectern.keys, { email: 'limited@example.org', requestsPerMinute: 2 });
    const client = await signInWithKey(token);
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await client.get('/concordance/eng-web/love')).status);
    expect(statuses.slice(0, 2)).toEqual([200, 200]);
    // Rate limits count by clock minute. A new minute may begin between two requests, so some of
    // the later requests may succeed.
    expect(statuses).toContain(429);
  });

  test('a concordance page responds 405 to POST and allows only GET and HEAD', async () => {
    const { status, headers } = await reader.post('/concordance/eng-web/love', {});
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});
