import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openKeys } from '@lectern/keys';
import { graphqlHeaders, send, withFolder } from '@lectern/testing';
import type { AdminFixture } from './support/admin-fixture';
import { operatorPassword, startAdminFixture } from './support/admin-fixture';
import { createBrowserClient, hiddenFields, visibleText } from './support/browser-client';
import { pepper, startEmbeddedLectern } from './support/embedded-lectern';

let operators: AdminFixture;
beforeAll(async () => {
  operators = await startAdminFixture();
});
afterAll(() => operators.lectern.close());

/** The key in a mail or on a page; empty without one. */
const keyIn = (text = ''): string => /svc_test_[\w-]{49}/.exec(text)?.[0] ?? '';
const statusWith = async (token: string): Promise<number> =>
  (await send(operators.lectern.url, { headers: graphqlHeaders(token), body: '{"query":"{ __typename }"}' })).status;

describe('requests', () => {
  test('those that wait come first, and can be seen alone', async () => {
    const [first, second] = [
      await operators.requestKey('order-1@example.org', 'Order One'),
      await operators.requestKey('order-2@example.org', 'Order Two'),
    ];
    await operators.lectern.keys.reject(first.id, 'a test', 'No.');
    const one = await operators.signIn();
    const all = visibleText((await one.get('/admin/requests')).text);
    expect(all.indexOf(second.email)).toBeLessThan(all.indexOf(first.email));
    expect(all).toContain('Rejected, delivered');
    const pending = visibleText((await one.get('/admin/requests?state=pending')).text);
    expect([pending.includes(first.email), pending.includes(second.email)]).toEqual([false, true]);
  });

  test('requests for keys of the other environment are decided where those keys are given out', async () => {
    const { keys } = operators.lectern;
    await keys.submitRequest({
      email: 'elsewhere@example.org',
      name: 'Else Where',
      description: 'x',
      environment: 'live',
    });
    const request = (await keys.requests()).find(({ email }) => email === 'elsewhere@example.org');
    const one = await operators.signIn();
    const list = (await one.get('/admin/requests')).text;
    expect(visibleText(list)).not.toContain('elsewhere@example.org');
    expect((await one.get(`/admin/requests/${request?.id ?? ''}`)).status).toBe(404);
    expect(
      (await one.post(`/admin/requests/${request?.id ?? ''}/approve`, { csrf: hiddenFields(list)['csrf'] ?? '' }))
        .status,
    ).toBe(404);
    expect(await keys.showRequest(request?.id ?? '')).toMatchObject({ state: 'pending' });
  });

  test('approving mails a key that works', async () => {
    const { id, email } = await operators.requestKey('approved@example.org');
    const one = await operators.signIn();
    const { csrf = '' } = hiddenFields((await one.get(`/admin/requests/${id}`)).text);
    const answer = await one.post(`/admin/requests/${id}/approve`, { csrf });
    expect([answer.status, answer.headers.location]).toEqual([303, `/admin/requests/${id}?done=approved`]);
    const page = visibleText((await one.get(answer.headers.location ?? '')).text);
    expect(page).toContain('Approved: the key is made, and mailed.');
    expect(page).toContain('Approved, delivered');
    const [mail, ...others] = await operators.mailsTo(email);
    expect(others).toEqual([]);
    expect(await statusWith(keyIn(mail?.text))).toBe(200);
    expect(page).not.toContain(keyIn(mail?.text));
    expect(await operators.lectern.keys.audit(10)).toContainEqual(
      expect.objectContaining({ by: 'operator', act: 'approve', requestId: id, note: `for ${email}` }),
    );
  });

  test('where mails are files, the page says that somebody has to send them on', async () => {
    const own = await startAdminFixture({ mailsToOutbox: true });
    const { id } = await own.requestKey('by-hand@example.org');
    const one = await own.signIn();
    const { csrf = '' } = hiddenFields((await one.get(`/admin/requests/${id}`)).text);
    const { headers } = await one.post(`/admin/requests/${id}/approve`, { csrf });
    const page = visibleText((await one.get(headers.location ?? '')).text);
    expect(page).toContain('its mail lies in the outbox, for you to send on');
    expect(page).toMatch(/Approved, in the outbox[^]*In the outbox since/);
    expect(page).not.toMatch(/delivered|mailed/i);
    await own.lectern.close();
  });

  test('approving twice, also at once, makes one key and says so', async () => {
    const { id, email } = await operators.requestKey('once@example.org');
    const one = await operators.signIn();
    const { csrf = '' } = hiddenFields((await one.get('/admin/requests')).text);
    const answers = await Promise.all([1, 2, 3].map(() => one.post(`/admin/requests/${id}/approve`, { csrf })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
    expect(visibleText(answers.find(({ status }) => status === 409)?.text ?? '')).toContain(
      'This request was approved already, by operator',
    );
    expect(await operators.mailsTo(email)).toHaveLength(1);
    expect((await operators.lectern.keys.list()).filter((key) => key.email === email)).toHaveLength(1);
  });

  test('rejecting asks for a reason and mails it; doing it again says what was done', async () => {
    const { id, email } = await operators.requestKey('rejected@example.org', 'Rejected <b>Person</b>');
    const one = await operators.signIn();
    const path = `/admin/requests/${id}/reject`;
    const question = await one.get(path);
    expect(visibleText(question.text)).toContain('Reject the request of Rejected <b>Person</b>?');
    const blank = await one.submitForm(path, { reason: ' \r\n' });
    expect([blank.status, visibleText(blank.text)]).toEqual([422, expect.stringContaining('Enter the reason.')]);
    const tooLong = await one.submitForm(path, { reason: `Because ${'x'.repeat(1_000)}` });
    expect([tooLong.status, visibleText(tooLong.text)]).toEqual([422, expect.stringContaining('Because xxx')]);
    const answer = await one.post(path, {
      ...hiddenFields(question.text),
      reason: 'The purpose is <unclear>.\r\nAsk again.',
    });
    expect([answer.status, answer.headers.location]).toEqual([303, `/admin/requests/${id}?done=rejected`]);
    const [mail] = await operators.mailsTo(email);
    expect(mail?.text).toMatch(/The purpose is <unclear>\.\s+Ask again\./);
    const again = await one.post(path, { ...hiddenFields(question.text), reason: 'Another reason.' });
    expect([again.status, visibleText(again.text)]).toEqual([
      409,
      expect.stringContaining('This request was rejected already, by operator'),
    ]);
    expect((await one.get(path)).status).toBe(409);
    expect(await operators.mailsTo(email)).toHaveLength(1);
    expect(await operators.lectern.keys.showRequest(id)).toMatchObject({
      reason: 'The purpose is <unclear>.\nAsk again.',
    });
  });

  test('sending the mail again brings a fresh key in place of the first, once for each confirmation', async () => {
    const { id, email } = await operators.requestKey('resent@example.org');
    await operators.lectern.keys.approve(id, 'a test');
    const one = await operators.signIn();
    const path = `/admin/requests/${id}/resend`;
    const fields = hiddenFields((await one.get(path)).text);
    const answers = await Promise.all([1, 2].map(() => one.post(path, fields)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(visibleText(answers.find(({ status }) => status === 409)?.text ?? '')).toContain(
      'the mail was sent again already',
    );
    const tokens = (await operators.mailsTo(email)).map(({ text }) => keyIn(text));
    expect(tokens).toHaveLength(2);
    expect((await Promise.all(tokens.map(statusWith))).sort()).toEqual([200, 401]);
  });

  test('a rejection, too, is sent again once for each confirmation, however quick the fingers', async () => {
    const { id, email } = await operators.requestKey('told-again@example.org');
    await operators.lectern.keys.reject(id, 'a test', 'No.');
    const one = await operators.signIn();
    const path = `/admin/requests/${id}/resend`;
    const fields = hiddenFields((await one.get(path)).text);
    const answers = await Promise.all([1, 2, 3].map(() => one.post(path, fields)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
    expect(await operators.mailsTo(email)).toHaveLength(2);
  });

  test('a mail that does not go out is told with its fault, and can be sent again', async () => {
    await withFolder(async (folder) => {
      // Where the folder for mails would be made, there is a file.
      const outbox = join(folder, 'outbox');
      writeFileSync(outbox, '');
      const keys = openKeys({ file: join(folder, 'keys.sqlite'), pepper });
      const unlucky = await startEmbeddedLectern({ operatorPassword, keys });
      try {
        await keys.submitRequest({
          email: 'unlucky@example.org',
          name: 'Unlucky',
          description: 'x',
          environment: 'test',
        });
        const [request] = await keys.requests();
        const one = createBrowserClient(unlucky.origin);
        await one.submitForm('/admin/sign-in', { password: operatorPassword });
        const { csrf = '' } = hiddenFields((await one.get('/admin/requests')).text);
        const { headers } = await one.post(`/admin/requests/${request?.id ?? ''}/approve`, { csrf });
        const page = await one.get(headers.location ?? '');
        expect(page.text).toContain('class="notice failure"');
        expect(visibleText(page.text)).toContain('Not delivered: ');
        expect(visibleText((await one.get('/admin/requests')).text)).toContain('Approved, not delivered');
        rmSync(outbox);
        const resent = await one.submitForm(`/admin/requests/${request?.id ?? ''}/resend`, {});
        expect(visibleText((await one.get(resent.headers.location ?? '')).text)).toContain('The mail was sent again.');
        expect(readdirSync(outbox)).toHaveLength(1);
      } finally {
        await unlucky.close();
        await keys.close();
      }
    });
  });

  test('what people wrote is shown as text', async () => {
    const markup = '"><script>alert(1)</script>';
    const { id } = await operators.requestKey('markup@example.org', `Eve ${markup}`, `</div>${markup}\n\nsecond`);
    const one = await operators.signIn();
    for (const path of ['/admin/requests', `/admin/requests/${id}`, `/admin/requests/${id}/reject`]) {
      const { status, text } = await one.get(path);
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
  ])('%s is not there', async (path) => {
    expect((await (await operators.signIn()).get(path)).status).toBe(404);
  });
});

describe('keys', () => {
  const issue = (email: string, name = 'Holder') =>
    operators.lectern.keys.issue({ email, name, environment: 'test' }, 'a test');

  test('a new key is shown once and works; its form sent twice makes one', async () => {
    const one = await operators.signIn();
    const fields = { name: 'Élodie', email: 'elodie@example.org', environment: 'test', requestsPerDay: '50' };
    const answer = await one.submitForm('/admin/new-key', fields);
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const token = keyIn(answer.text);
    expect(await statusWith(token)).toBe(200);
    const again = await one.submitForm('/admin/new-key', fields);
    expect([again.status, keyIn(again.text), visibleText(again.text)]).toEqual([
      422,
      '',
      expect.stringContaining('has a test key already'),
    ]);
    const list = await one.get('/admin/keys?search=%C3%89LODIE');
    expect(visibleText(list.text)).toMatch(/Élodie.*elodie@example\.org.*50/s);
    expect(list.text).not.toContain(token);
  });

  test.each([
    [{ name: '' }, 'Enter the name of its holder.'],
    [{ email: 'nobody' }, 'is not an email address'],
    [{ email: 'a@example.org\r\nBcc: b@example.org' }, 'on one line'],
    [{ requestsPerDay: '0' }, 'Enter a whole number'],
    [{ requestsPerDay: '1e3' }, 'Enter a whole number'],
    [{ environment: 'staging' }, 'Choose an environment.'],
  ])('%j makes none, and says why', async (wrong, message) => {
    const { status, text } = await (await operators.signIn()).submitForm('/admin/new-key', {
      name: 'X',
      email: 'x@example.org',
      environment: 'test',
      requestsPerDay: '',
      ...wrong,
    });
    expect([status, visibleText(text)]).toEqual([422, expect.stringContaining(message)]);
  });

  test('the list is searched and has pages', async () => {
    for (let index = 0; index < 51; index += 1) await issue(`paged-${index}@example.org`, 'Paged');
    const one = await operators.signIn();
    const first = visibleText((await one.get('/admin/keys?search=paged')).text);
    expect([first.match(/paged-\d+@/g)?.length, first.includes('Page 1 of 2')]).toEqual([50, true]);
    const second = visibleText((await one.get('/admin/keys?search=paged&page=2')).text);
    expect(second.match(/paged-\d+@/g)).toEqual(['paged-0@']);
    for (const page of ['3', '0', '-1', 'x', '999999999999'])
      expect((await one.get(`/admin/keys?search=paged&page=${page}`)).status).toBe(200);
    expect(visibleText((await one.get('/admin/keys?search=%22%3E%3Cscript%3E')).text)).toContain(
      'No key contains this text.',
    );
  });

  test('revoking asks first, holds at once, and is done once', async () => {
    const { key, token } = await issue('revoked@example.org');
    const one = await operators.signIn();
    const path = `/admin/keys/${key.id}/revoke`;
    const fields = hiddenFields((await one.get(path)).text);
    expect(await statusWith(token)).toBe(200);
    const answer = await one.post(path, fields);
    expect([answer.status, answer.headers.location]).toEqual([303, `/admin/keys/${key.id}?done=revoked`]);
    expect(await statusWith(token)).toBe(401);
    const again = await one.post(path, fields);
    expect([again.status, visibleText(again.text)]).toEqual([409, expect.stringContaining('revoked already')]);
    expect((await one.get(path)).status).toBe(409);
    expect(
      (await operators.lectern.keys.audit(1_000)).filter(({ act, keyId }) => act === 'revoke' && keyId === key.id),
    ).toHaveLength(1);
  });

  test('rotating shows the new key once and ends the old one, however often it is confirmed', async () => {
    const { key, token } = await issue('rotated@example.org');
    const one = await operators.signIn();
    const path = `/admin/keys/${key.id}/rotate`;
    const fields = hiddenFields((await one.get(path)).text);
    const answers = await Promise.all([1, 2].map(() => one.post(path, fields)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const fresh = keyIn(answers.find(({ status }) => status === 200)?.text);
    expect([await statusWith(token), await statusWith(fresh)]).toEqual([401, 200]);
    expect((await operators.lectern.keys.list()).filter(({ email }) => email === key.email)).toHaveLength(2);
  });

  test('the requests that a key has a day are changed, and what cannot be is told at its field', async () => {
    const { key, token } = await issue('frugal@example.org');
    const one = await operators.signIn();
    const path = `/admin/keys/${key.id}/allow`;
    const fields = hiddenFields((await one.get(path)).text);
    expect((await one.post(path, { ...fields, requestsPerDay: 'many' })).status).toBe(422);
    const answer = await one.post(path, { ...fields, requestsPerDay: '1' });
    expect([answer.status, answer.headers.location]).toEqual([303, `/admin/keys/${key.id}?done=allowed`]);
    expect(visibleText((await one.get(answer.headers.location ?? '')).text)).toContain('it has 1 requests a day');
    expect([await statusWith(token), await statusWith(token)]).toEqual([200, 429]);
    expect((await one.post(path, { ...fields, requestsPerDay: '' })).status).toBe(303);
    expect([(await operators.lectern.keys.show(key.id)).requestsPerDay, await statusWith(token)]).toEqual([null, 200]);
  });

  test('a key or its last characters are no address of a page', async () => {
    const { key, token } = await issue('address@example.org');
    const one = await operators.signIn();
    expect(
      (await Promise.all([key.id, token, key.last4].map((which) => one.get(`/admin/keys/${which}`)))).map(
        ({ status }) => status,
      ),
    ).toEqual([200, 404, 404]);
  });
});

test('the audit log tells who did what, newest first', async () => {
  const one = await operators.signIn();
  const page = visibleText((await one.get('/admin/audit')).text);
  expect(page.slice(page.indexOf('Note'))).toMatch(
    /^Note\s*\d{4}-\d\d-\d\d \d\d:\d\d UTCoperatorsign-infrom 203\.0\.113\.\d+/,
  );
  for (let index = 0; index < 60; index += 1)
    await operators.lectern.keys.record({
      by: 'a test',
      act: 'sign-out',
      keyId: null,
      requestId: null,
      note: `<i>${index}</i>`,
    });
  expect(visibleText((await one.get('/admin/audit')).text)).toContain('<i>59</i>');
  expect(visibleText((await one.get('/admin/audit?page=2')).text)).toContain('<i>5</i>');
});
