import { createGraphqlClient, graphqlHeaders, send } from '@lectern/testing';
import Database from 'better-sqlite3';
import type { AdminFixture } from '../support/admin-fixture';
import { keyIn, startAdminFixture } from '../support/admin-fixture';
import { issueKey } from '../support/embedded-lectern';
import { hiddenFields, visibleText } from '../support/form-client';
import { waitUntil } from '../support/processes';

let admin: AdminFixture;
beforeAll(async () => {
  admin = await startAdminFixture();
});
afterAll(() => admin.lectern.close());

const issue = (email: string, name = 'Holder') => issueKey(admin.lectern.keys, { email, name });

test('the form that issues a key shows it only once, and responds 422 to a second key for the address', async () => {
  const client = await admin.signIn();
  const fields = {
    name: 'Élodie',
    email: 'elodie@example.org',
    environment: 'test',
    requestsPerDay: '50',
    requestsPerMinute: '7',
  };
  const response = await client.submitForm('/admin/new-key', fields);
  expect([response.status, response.headers['cache-control']]).toEqual([200, 'no-store']);
  const token = keyIn(response.text);
  expect(await admin.statusWith(token)).toBe(200);
  const again = await client.submitForm('/admin/new-key', fields);
  expect([again.status, keyIn(again.text), visibleText(again.text)]).toEqual([
    422,
    '',
    expect.stringContaining('has a test key already'),
  ]);
  const list = await client.get('/admin/keys?search=%C3%89LODIE');
  expect(visibleText(list.text)).toMatch(/Élodie.*elodie@example\.org\s*50\s*7/s);
  expect(list.text).not.toContain(token);
});

test.each([
  [{ name: '' }, 'Enter the name of its holder.'],
  [{ email: 'nobody' }, 'is not an email address'],
  [{ email: 'a@example.org\r\nBcc: b@example.org' }, 'on one line'],
  [{ requestsPerDay: '0' }, 'Enter a whole number'],
  [{ requestsPerDay: '1e3' }, 'Enter a whole number'],
  [{ requestsPerMinute: '0' }, 'Enter a whole number'],
  [{ environment: 'staging' }, 'Choose an environment.'],
  [{ documents: 'Trusted' }, 'Check the box, or leave it unchecked.'],
])(
  "the operator's form that issues a key rejects the invalid field %j and says how to correct it",
  async (invalid, message) => {
    const { status, text } = await (await admin.signIn()).submitForm('/admin/new-key', {
      name: 'X',
      email: 'x@example.org',
      environment: 'test',
      requestsPerDay: '',
      requestsPerMinute: '',
      ...invalid,
    });
    expect([status, visibleText(text)]).toEqual([422, expect.stringContaining(message)]);
  },
);

test('the form that issues a key has a checkbox, at first unchecked, for trusted documents, and pages mark this key', async () => {
  const client = await admin.signIn();
  const box = /<input type="checkbox"[^>]*name="documents"[^>]*>/;
  expect(box.exec((await client.get('/admin/new-key')).text)?.[0]).not.toContain('checked');
  const fields = { name: 'App', email: 'boxed@example.org', environment: 'test', documents: 'trusted' };
  const invalid = await client.submitForm('/admin/new-key', { ...fields, requestsPerDay: '0' });
  expect(box.exec(invalid.text)?.[0]).toContain('checked');

  const response = await client.submitForm('/admin/new-key', fields);
  const token = keyIn(response.text);
  const rejected = await send(admin.lectern.url, {
    headers: graphqlHeaders(token),
    body: '{"query":"{ __typename }"}',
  });
  expect([rejected.status, rejected.text]).toEqual([403, expect.stringContaining('QUERY_NOT_IN_SAFELIST')]);
  const { id } = await admin.lectern.keys.show(token);
  for (const path of ['/admin/keys?search=boxed%40example.org', `/admin/keys/${id}`])
    expect(visibleText((await client.get(path)).text)).toContain('trusted documents only');
});

test('the operator page of a key without a daily quota shows its embedding calls, and says that its requests are not counted', async () => {
  const { key, token } = await issue('unlimited@example.org');
  await createGraphqlClient(admin.lectern.url, token)('{ semanticSearch(query: "grace") { similarity } }');
  const page = visibleText((await (await admin.signIn()).get(`/admin/keys/${key.id}`)).text);
  expect(page).toMatch(/Requests today \(UTC\)\s*not counted, because the key has no quota/);
  expect(page).toMatch(/Embedding calls today \(UTC\)\s*1\s/);
});

test('the operator page that lists keys can be searched and shows 50 keys per page', async () => {
  await issue('paged-0@example.org', 'Paged');
  // The page lists the newest keys first, by the millisecond of their issue. The next keys are
  // issued in later milliseconds, so that paged-0 is always the last key.
  const issuedAt = Date.now();
  await waitUntil(() => Date.now() > issuedAt);
  for (let index = 1; index < 51; index += 1) await issue(`paged-${index}@example.org`, 'Paged');
  const client = await admin.signIn();
  const first = visibleText((await client.get('/admin/keys?search=paged')).text);
  expect([first.match(/paged-\d+@/g)?.length, first.includes('Page 1 of 2')]).toEqual([50, true]);
  const second = visibleText((await client.get('/admin/keys?search=paged&page=2')).text);
  expect(second.match(/paged-\d+@/g)).toEqual(['paged-0@']);
  for (const page of ['3', '0', '-1', 'x', '999999999999'])
    expect((await client.get(`/admin/keys?search=paged&page=${page}`)).status).toBe(200);
  expect(visibleText((await client.get('/admin/keys?search=%22%3E%3Cscript%3E')).text)).toContain(
    'No key contains this text.',
  );
});

test('revoking a key in the form takes effect at once, a second submission gets 409, and the audit log has one entry', async () => {
  const { key, token } = await issue('revoked@example.org');
  const client = await admin.signIn();
  const path = `/admin/keys/${key.id}/revoke`;
  const fields = hiddenFields((await client.get(path)).text);
  expect(await admin.statusWith(token)).toBe(200);
  const response = await client.post(path, fields);
  expect([response.status, response.headers.location]).toEqual([303, `/admin/keys/${key.id}?done=revoked`]);
  expect(await admin.statusWith(token)).toBe(401);
  const again = await client.post(path, fields);
  expect([again.status, visibleText(again.text)]).toEqual([409, expect.stringContaining('revoked already')]);
  expect((await client.get(path)).status).toBe(409);
  expect(
    (await admin.lectern.keys.audit(1_000)).filter(({ act, keyId }) => act === 'revoke' && keyId === key.id),
  ).toHaveLength(1);
});

test('if an operator submits the form that rotates a key twice at once, it gets one new token and its old token is rejected', async () => {
  const { key, token } = await issue('rotated@example.org');
  const client = await admin.signIn();
  const path = `/admin/keys/${key.id}/rotate`;
  const fields = hiddenFields((await client.get(path)).text);
  const responses = await Promise.all([1, 2].map(() => client.post(path, fields)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
  const newToken = keyIn(responses.find(({ status }) => status === 200)?.text);
  expect([await admin.statusWith(token), await admin.statusWith(newToken)]).toEqual([401, 200]);
  expect((await admin.lectern.keys.list()).filter(({ email }) => email === key.email)).toMatchObject([{ id: key.id }]);
});

test("the operator's form that rotates a key takes an overlap, in which both tokens work, and responds 409 to an invalid one", async () => {
  const { key, token } = await issue('overlap@example.org');
  const client = await admin.signIn();
  const path = `/admin/keys/${key.id}/rotate`;
  const invalid = await client.submitForm(path, { overlap: 'soon' });
  expect([invalid.status, visibleText(invalid.text)]).toEqual([409, expect.stringContaining('The overlap must be')]);
  const rotated = await client.submitForm(path, { overlap: '7d' });
  expect(visibleText(rotated.text)).toMatch(/The key it replaces works until 20/);
  expect([await admin.statusWith(token), await admin.statusWith(keyIn(rotated.text))]).toEqual([200, 200]);
  const page = visibleText((await client.get(`/admin/keys/${key.id}`)).text);
  expect(page).toMatch(new RegExp(`Earlier key\\s*\\.\\.\\.${key.last4}, valid until 20`));
});

test("the operator's form that issues a key takes its expiry, and the pages show an expired key as expired", async () => {
  const client = await admin.signIn();
  const fields = { name: 'Guest', email: 'guest@example.org', environment: 'test' };
  const invalid = await client.submitForm('/admin/new-key', { ...fields, expires: 'soon' });
  expect([invalid.status, visibleText(invalid.text)]).toEqual([422, expect.stringContaining('The expiry must be')]);
  const token = keyIn((await client.submitForm('/admin/new-key', { ...fields, expires: '90d' })).text);
  const { id } = await admin.lectern.keys.show(token);
  expect(visibleText((await client.get(`/admin/keys/${id}`)).text)).toMatch(/State\s*Valid[^]*Expires\s*20\d\d/);
  const db = new Database(admin.lectern.keysFile);
  db.prepare('UPDATE api_key SET expires_at = ? WHERE id = ?').run('2026-01-01T00:00:00.000Z', id);
  db.close();
  expect(await admin.statusWith(token)).toBe(401);
  expect(visibleText((await client.get(`/admin/keys/${id}`)).text)).toMatch(/State\s*Expired 2026-01-01/);
  const rotation = await client.get(`/admin/keys/${id}/rotate`);
  expect([rotation.status, visibleText(rotation.text)]).toEqual([409, expect.stringContaining('is expired already')]);
});

test("the operator's form that changes the rate limits of a key takes effect at once, and responds 422 to an invalid number", async () => {
  const { key, token } = await issue('frugal@example.org');
  const client = await admin.signIn();
  const path = `/admin/keys/${key.id}/allow`;
  const fields = hiddenFields((await client.get(path)).text);
  expect((await client.post(path, { ...fields, requestsPerDay: 'many' })).status).toBe(422);
  const response = await client.post(path, { ...fields, requestsPerDay: '1' });
  expect([response.status, response.headers.location]).toEqual([303, `/admin/keys/${key.id}?done=allowed`]);
  expect(visibleText((await client.get(response.headers.location ?? '')).text)).toContain(
    'it has 1 requests a day and the default number of requests a minute',
  );
  expect([await admin.statusWith(token), await admin.statusWith(token)]).toEqual([200, 429]);
  expect((await client.post(path, { ...fields, requestsPerDay: '', requestsPerMinute: '9' })).status).toBe(303);
  expect((await admin.lectern.keys.show(key.id)).requestsPerMinute).toBe(9);
  await admin.lectern.keys.setLimits(key.id, { addresses: '192.0.2.7=600' }, 'a test');
  expect(visibleText((await client.get(`/admin/keys/${key.id}`)).text)).toContain('192.0.2.7=600');
  expect((await client.post(path, { ...fields, requestsPerDay: '' })).status).toBe(303);
  const { requestsPerDay, addresses } = await admin.lectern.keys.show(key.id);
  expect([requestsPerDay, addresses, await admin.statusWith(token)]).toEqual([null, '192.0.2.7=600', 200]);
});

test("the operator's form of what a key may read takes effect at once, and responds 409 to a malformed identifier", async () => {
  const client = await admin.signIn();
  const { key } = await issue('translations@example.org');
  const path = `/admin/keys/${key.id}/grant`;
  const changed = await client.submitForm(path, { translations: 'eng-own, deu-own' });
  const page = await client.get(changed.headers.location ?? '');
  expect(visibleText(page.text)).toContain('it may read deu-own eng-own');
  expect((await admin.lectern.keys.show(key.id)).grants).toBe('deu-own eng-own');
  const malformed = await client.submitForm(path, { translations: 'Deutsch' });
  expect([malformed.status, visibleText(malformed.text)]).toEqual([
    409,
    expect.stringContaining("'Deutsch' is not the identifier of a translation"),
  ]);
  await client.submitForm(path, { translations: '' });
  expect((await admin.lectern.keys.show(key.id)).grants).toBe('');
});

test('the operator page of a key has the key id in its path, and a path with the token or its last characters gets 404', async () => {
  const { key, token } = await issue('address@example.org');
  const client = await admin.signIn();
  expect(
    (await Promise.all([key.id, token, key.last4].map((which) => client.get(`/admin/keys/${which}`)))).map(
      ({ status }) => status,
    ),
  ).toEqual([200, 404, 404]);
});

test('the operator page of the audit log lists operators and their actions, newest first, on several pages', async () => {
  const client = await admin.signIn();
  const page = visibleText((await client.get('/admin/audit')).text);
  expect(page.slice(page.indexOf('Note'))).toMatch(
    /^Note\s*\d{4}-\d\d-\d\d \d\d:\d\d UTCoperatorsign-infrom 203\.0\.113\.\d+/,
  );
  for (let index = 0; index < 60; index += 1)
    await admin.lectern.keys.record({
      by: 'a test',
      act: 'sign-out',
      keyId: null,
      requestId: null,
      note: `<i>${index}</i>`,
    });
  const first = visibleText((await client.get('/admin/audit')).text);
  expect(first.indexOf('<i>59</i>')).toBeGreaterThan(0);
  expect(first.indexOf('<i>58</i>')).toBeGreaterThan(first.indexOf('<i>59</i>'));
  expect(first).not.toContain('<i>5</i>');
  expect(visibleText((await client.get('/admin/audit?page=2')).text)).toContain('<i>5</i>');
});

test('the audit log shows only the 10,000 newest entries, and its last page has no link to a next page', async () => {
  const client = await admin.signIn();
  const store = new Database(admin.lectern.keysFile);
  store.exec(`WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 10000)
    INSERT INTO audit_entry (at, by_whom, act, note) SELECT '2026-11-22T12:00:00.000Z', 'form', 'request', 'entry ' || number || '.' FROM numbers`);
  store.close();
  const beforeLast = visibleText((await client.get('/admin/audit?page=199')).text);
  const last = visibleText((await client.get('/admin/audit?page=200')).text);
  expect([beforeLast.includes('entry 51.'), beforeLast.includes('Next'), last.includes('entry 1.')]).toEqual([
    true,
    true,
    true,
  ]);
  expect(last).not.toContain('Next');
});
