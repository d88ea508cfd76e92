import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { AdminFixture } from '../support/admin-fixture';
import { keyIn, startAdminFixture } from '../support/admin-fixture';
import { hiddenFields, visibleText } from '../support/form-client';

let admin: AdminFixture;
beforeAll(async () => {
  admin = await startAdminFixture();
});
afterAll(() => admin.lectern.close());

/** Puts a file in place of the outbox folder during `run`, so that no mail can be written. */
async function withoutOutbox(run: () => Promise<void>): Promise<void> {
  const moved = `${admin.outbox}-moved`;
  if (existsSync(admin.outbox)) renameSync(admin.outbox, moved);
  writeFileSync(admin.outbox, '');
  try {
    await run();
  } finally {
    rmSync(admin.outbox);
    if (existsSync(moved)) renameSync(moved, admin.outbox);
  }
}

test('the list of key requests shows a pending one above a newer rejected one, and can be filtered by state', async () => {
  const [first, second] = [
    await admin.requestKey('order-1@example.org', 'Order One'),
    await admin.requestKey('order-2@example.org', 'Order Two'),
  ];
  await admin.lectern.keys.reject(second.id, 'a test', 'No.');
  const client = await admin.signIn();
  const all = visibleText((await client.get('/admin/requests')).text);
  expect(all.indexOf(first.email)).toBeGreaterThan(0);
  expect(all.indexOf(second.email)).toBeGreaterThan(all.indexOf(first.email));
  expect(all).toContain('Rejected, delivered');
  const pending = visibleText((await client.get('/admin/requests?state=pending')).text);
  expect([pending.includes(first.email), pending.includes(second.email)]).toEqual([true, false]);
});

test('the pages of one environment hide key requests of another, and respond 404 if an operator approves one', async () => {
  const { keys } = admin.lectern;
  await keys.submitRequest({
    email: 'elsewhere@example.org',
    name: 'Else Where',
    description: 'x',
    environment: 'live',
  });
  const request = (await keys.requests()).find(({ email }) => email === 'elsewhere@example.org');
  const client = await admin.signIn();
  const list = (await client.get('/admin/requests')).text;
  expect(visibleText(list)).not.toContain('elsewhere@example.org');
  expect((await client.get(`/admin/requests/${request?.id ?? ''}`)).status).toBe(404);
  expect(
    (await client.post(`/admin/requests/${request?.id ?? ''}/approve`, { csrf: hiddenFields(list)['csrf'] ?? '' }))
      .status,
  ).toBe(404);
  expect(await keys.showRequest(request?.id ?? '')).toMatchObject({ state: 'pending' });
});

test('the approval of a key request mails a valid key, does not show it, and adds an entry to the audit log', async () => {
  const { id, email } = await admin.requestKey('approved@example.org');
  const client = await admin.signIn();
  const { csrf = '' } = hiddenFields((await client.get(`/admin/requests/${id}`)).text);
  const response = await client.post(`/admin/requests/${id}/approve`, { csrf });
  expect([response.status, response.headers.location]).toEqual([303, `/admin/requests/${id}?done=approved`]);
  const page = visibleText((await client.get(response.headers.location ?? '')).text);
  expect(page).toContain('Approved: the key was issued and mailed.');
  expect(page).toContain('Approved, delivered');
  const [mail, ...others] = await admin.mailsTo(email);
  expect(others).toEqual([]);
  expect(await admin.statusWith(keyIn(mail?.text))).toBe(200);
  expect(page).not.toContain(keyIn(mail?.text));
  expect(await admin.lectern.keys.audit(10)).toContainEqual(
    expect.objectContaining({ by: 'operator', act: 'approve', requestId: id, note: `for ${email}` }),
  );
});

test('a key approved with the checkbox for trusted documents can send only trusted documents', async () => {
  const { id, email } = await admin.requestKey('boxed-request@example.org');
  const client = await admin.signIn();
  const page = await client.get(`/admin/requests/${id}`);
  expect(page.text).toMatch(/<input type="checkbox" name="documents" value="trusted"(?![^>]*checked)/);
  const { csrf = '' } = hiddenFields(page.text);
  const invalid = await client.post(`/admin/requests/${id}/approve`, { csrf, documents: 'all' });
  expect([invalid.status, visibleText(invalid.text)]).toEqual([
    422,
    expect.stringContaining('Check the box, or leave it unchecked.'),
  ]);
  expect(await admin.lectern.keys.showRequest(id)).toMatchObject({ state: 'pending' });
  expect((await client.post(`/admin/requests/${id}/approve`, { csrf, documents: 'trusted' })).status).toBe(303);
  const { keyId } = await admin.lectern.keys.showRequest(id);
  expect(await admin.lectern.keys.show(keyId ?? '')).toMatchObject({ email, documents: 'trusted' });
  const [mail] = await admin.mailsTo(email);
  expect(await admin.statusWith(keyIn(mail?.text))).toBe(403);
  const resent = await admin.lectern.keys.resend(id, 'a test');
  expect(await admin.lectern.keys.show(resent.keyId ?? '')).toMatchObject({ documents: 'trusted' });
});

test('the page of an approved key request says that the mail is in the outbox folder if no SMTP server is configured', async () => {
  const outboxAdmin = await startAdminFixture({ mailsToOutbox: true });
  const { id } = await outboxAdmin.requestKey('by-hand@example.org');
  const client = await outboxAdmin.signIn();
  const { csrf = '' } = hiddenFields((await client.get(`/admin/requests/${id}`)).text);
  const { headers } = await client.post(`/admin/requests/${id}/approve`, { csrf });
  const page = visibleText((await client.get(headers.location ?? '')).text);
  expect(page).toContain('its mail is in the outbox, for you to send');
  expect(page).toMatch(/Approved, in the outbox[^]*In the outbox since/);
  expect(page).not.toMatch(/delivered|mailed/i);
  await outboxAdmin.lectern.close();
});

test('if three operators approve one key request at the same time, one approval issues a key, and the other two get 409', async () => {
  const { id, email } = await admin.requestKey('once@example.org');
  const client = await admin.signIn();
  const { csrf = '' } = hiddenFields((await client.get('/admin/requests')).text);
  const responses = await Promise.all([1, 2, 3].map(() => client.post(`/admin/requests/${id}/approve`, { csrf })));
  expect(responses.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
  expect(visibleText(responses.find(({ status }) => status === 409)?.text ?? '')).toContain(
    'This request was approved already, by operator',
  );
  expect(await admin.mailsTo(email)).toHaveLength(1);
  expect((await admin.lectern.keys.list()).filter((key) => key.email === email)).toHaveLength(1);
});

test('the rejection of a key request requires a reason and mails it once, and a second rejection gets 409', async () => {
  const { id, email } = await admin.requestKey('rejected@example.org', 'Rejected <b>Person</b>');
  const client = await admin.signIn();
  const path = `/admin/requests/${id}/reject`;
  const confirmation = await client.get(path);
  expect(visibleText(confirmation.text)).toContain('Reject the request of Rejected <b>Person</b>?');
  const blankReason = await client.submitForm(path, { reason: ' \r\n' });
  expect([blankReason.status, visibleText(blankReason.text)]).toEqual([
    422,
    expect.stringContaining('Enter the reason.'),
  ]);
  const longReason = await client.submitForm(path, { reason: `Because ${'x'.repeat(1_000)}` });
  expect([longReason.status, visibleText(longReason.text)]).toEqual([422, expect.stringContaining('Because xxx')]);
  const response = await client.post(path, {
    ...hiddenFields(confirmation.text),
    reason: 'The purpose is <unclear>.\r\nAsk again.',
  });
  expect([response.status, response.headers.location]).toEqual([303, `/admin/requests/${id}?done=rejected`]);
  const [mail] = await admin.mailsTo(email);
  expect(mail?.text).toMatch(/The purpose is <unclear>\.\s+Ask again\./);
  const again = await client.post(path, { ...hiddenFields(confirmation.text), reason: 'Another reason.' });
  expect([again.status, visibleText(again.text)]).toEqual([
    409,
    expect.stringContaining('This request was rejected already, by operator'),
  ]);
  expect((await client.get(path)).status).toBe(409);
  expect(await admin.mailsTo(email)).toHaveLength(1);
  expect(await admin.lectern.keys.showRequest(id)).toMatchObject({
    reason: 'The purpose is <unclear>.\nAsk again.',
  });
});

test('sending an approval mail again issues a new key, revokes the first, and responds 409 to a second submission', async () => {
  const { id, email } = await admin.requestKey('resent@example.org');
  await admin.lectern.keys.approve(id, 'a test');
  const client = await admin.signIn();
  const path = `/admin/requests/${id}/resend`;
  const fields = hiddenFields((await client.get(path)).text);
  const responses = await Promise.all([1, 2].map(() => client.post(path, fields)));
  expect(responses.map(({ status }) => status).sort()).toEqual([303, 409]);
  expect(visibleText(responses.find(({ status }) => status === 409)?.text ?? '')).toContain(
    'the mail was sent again already',
  );
  const tokens = (await admin.mailsTo(email)).map(({ text }) => keyIn(text));
  expect(tokens).toHaveLength(2);
  expect(await Promise.all(tokens.map(admin.statusWith))).toEqual([401, 200]);
});

test('of three simultaneous submissions of a rejection mail one sends the mail and two get 409', async () => {
  const { id, email } = await admin.requestKey('told-again@example.org');
  await admin.lectern.keys.reject(id, 'a test', 'No.');
  const client = await admin.signIn();
  const path = `/admin/requests/${id}/resend`;
  const fields = hiddenFields((await client.get(path)).text);
  const responses = await Promise.all([1, 2, 3].map(() => client.post(path, fields)));
  expect(responses.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
  const texts = (await admin.mailsTo(email)).map(({ text }) => text);
  expect(texts).toEqual([expect.stringContaining('No.'), texts[0]]);
});

test('if a mail could not be delivered, the page of the request shows the error and a form to send it again', async () => {
  const { id, email } = await admin.requestKey('undelivered@example.org', 'Undelivered');
  const client = await admin.signIn();
  const { csrf = '' } = hiddenFields((await client.get('/admin/requests')).text);
  await withoutOutbox(async () => {
    const { headers } = await client.post(`/admin/requests/${id}/approve`, { csrf });
    const page = await client.get(headers.location ?? '');
    expect(page.text).toContain('class="notice failure"');
    expect(visibleText(page.text)).toMatch(/Not delivered: \S/);
    expect(visibleText((await client.get('/admin/requests')).text)).toContain('Approved, not delivered');
  });
  const resent = await client.submitForm(`/admin/requests/${id}/resend`, {});
  expect(visibleText((await client.get(resent.headers.location ?? '')).text)).toContain('The mail was sent again.');
  expect(await admin.mailsTo(email)).toHaveLength(1);
});

test("the operator pages of a key request escape markup in the applicant's name and description", async () => {
  const markup = '"><script>alert(1)</script>';
  const { id } = await admin.requestKey('markup@example.org', `Eve ${markup}`, `</div>${markup}\n\nsecond`);
  const client = await admin.signIn();
  for (const path of ['/admin/requests', `/admin/requests/${id}`, `/admin/requests/${id}/reject`]) {
    const { status, text } = await client.get(path);
    expect([path, status, text.includes('<script'), visibleText(text).includes('Eve "><script>')]).toEqual([
      path,
      200,
      false,
      true,
    ]);
  }
});

test.each([
  '/admin/requests/00000000-0000-4000-8000-000000000000',
  '/admin/requests/nobody',
  '/admin/keys/00000000-0000-4000-8000-000000000000',
  '/admin/nowhere',
  '/admin/requests/00000000-0000-4000-8000-000000000000/reject',
])('a signed-in operator gets 404 for the path %s, which names no page, key or key request', async (path) => {
  expect((await (await admin.signIn()).get(path)).status).toBe(404);
});
