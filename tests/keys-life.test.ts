import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyRequest, Keys } from '@lectern/keys';
import type { KeyPlace, KeyStores } from './key-stores';
import { keyStores, mailsIn, tokensIn } from './key-stores';

describe.each(keyStores)('keys in %s', (_, start) => {
  let stores: KeyStores;
  let place: KeyPlace;
  /** Two processes of one deployment, as far as the store can tell. */
  let keys: Keys;
  let others: Keys;
  beforeAll(async () => {
    stores = await start();
  });
  afterAll(() => stores.stop());
  beforeEach(async () => {
    place = await stores.empty();
    [keys, others] = [await place.open(), await place.open()];
  });
  afterEach(() => Promise.all([keys.close(), others.close()]));

  const reader = { email: 'reader@example.org', name: 'Reader', environment: 'test' } as const;
  const asked = { ...reader, description: 'A reading plan.\r\nFor two people.' };
  const kind = async (token: string | null) => (await keys.authenticate(token, 'test')).kind;
  const outbox = () => mailsIn(join(place.folder, 'outbox'));
  const requested = async (
    more: Partial<Record<'email' | 'name' | 'description', string>> = {},
  ): Promise<KeyRequest> => {
    await keys.submitRequest({ ...asked, ...more });
    const request = (await keys.requests('pending')).at(-1);
    if (!request) throw new Error('the request was not kept');
    return request;
  };
  const failures = async (acts: Promise<unknown>[]) =>
    (await Promise.allSettled(acts)).flatMap((act) =>
      act.status === 'rejected' ? [(act.reason as Error).message] : [],
    );

  test('a key is good where it was issued for, and nothing else is', async () => {
    const { key, token } = await keys.issue(reader, 'a test');
    expect(await keys.authenticate(token, 'test')).toEqual({ kind: 'caller', key });
    expect(await keys.authenticate(token, 'live')).toEqual({ kind: 'other-environment' });
    expect(
      await Promise.all(
        [null, '', 'x', `${token}x`, token.slice(0, -1), token.replace('test', 'live'), `${token}\0`].map(kind),
      ),
    ).toEqual(Array(7).fill('unknown'));
  });

  test('what another process does holds from the next call on, also for a key that was just looked up', async () => {
    const { key, token } = await others.issue(reader, 'a test');
    expect([await kind(token), await kind(token)]).toEqual(['caller', 'caller']);
    await others.revoke(key.id, 'a test');
    expect(await kind(token)).toBe('unknown');
    const again = await keys.issue(reader, 'a test');
    expect(await kind(again.token)).toBe('caller');
    await keys.revoke(again.key.id, 'a test');
    expect(await kind(again.token)).toBe('unknown');
  });

  test('look-ups of many tokens at once each get their own answer', async () => {
    const issued = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        keys.issue({ ...reader, email: `reader-${index}@example.org` }, 'a test'),
      ),
    );
    const found = await Promise.all([...issued, ...issued].map(({ token }) => keys.authenticate(token, 'test')));
    expect(found).toEqual([...issued, ...issued].map(({ key }) => ({ kind: 'caller', key })));
  });

  test('of keys issued to one address at the same moment one is made', async () => {
    const told = await failures(
      Array.from({ length: 6 }, (_, index) =>
        (index % 2 === 0 ? keys : others).issue(
          { ...reader, email: index % 3 === 0 ? 'READER@example.org' : reader.email },
          'a test',
        ),
      ),
    );
    expect(told).toEqual(
      Array(5).fill(
        expect.stringMatching(/has a test key already \(.*\)\. Revoke it first: keys revoke [0-9a-f-]{36}$/),
      ),
    );
    expect(await keys.list()).toHaveLength(1);
  });

  test("a key has the deployment's requests a day or its own, which another key of its holder keeps", async () => {
    expect((await keys.issue({ ...reader, environment: 'live' }, 'a test')).key.requestsPerDay).toBeNull();
    const { key } = await keys.issue({ ...reader, requestsPerDay: 5_000 }, 'a test');
    expect((await keys.rotate(key.id, 'a test')).key.requestsPerDay).toBe(5_000);
    await expect(keys.issue({ ...reader, email: 'b@example.org', requestsPerDay: 0 }, 'a test')).rejects.toThrow(
      /whole number/,
    );
    await expect(keys.issue({ ...reader, email: 'b@example.org', requestsPerDay: 1.5 }, 'a test')).rejects.toThrow(
      /whole number/,
    );
  });

  test('rotation makes another key good in place of the old one', async () => {
    const { key, token } = await keys.issue(reader, 'a test');
    const next = await keys.rotate(key.last4, 'a test');
    expect([await kind(token), await kind(next.token)]).toEqual(['unknown', 'caller']);
    expect(next.key).toMatchObject({ email: reader.email, name: reader.name, environment: 'test', revokedAt: null });
    await expect(keys.rotate(key.id, 'a test')).rejects.toThrow(/revoked already/);
    expect(await failures([keys.rotate(next.key.id, 'a test'), others.rotate(next.key.id, 'a test')])).toHaveLength(1);
    expect((await keys.list()).filter(({ revokedAt }) => revokedAt === null)).toHaveLength(1);
  });

  test('a key is shown by its id, its last four characters or itself', async () => {
    const { key, token } = await keys.issue(reader, 'a test');
    for (const which of [key.id, key.last4, token]) expect(await keys.show(which)).toEqual(key);
    await expect(keys.show('nope')).rejects.toThrow("No key has the id or the ending 'nope'. See: keys list");
    await expect(keys.show('\0')).rejects.toThrow(/No key has/);
    await expect(keys.showRequest('\0')).rejects.toThrow(/No request has/);
  });

  test('a request waits for a decision; an address that asks again, or has a key, is answered the same and waits no second time', async () => {
    expect(await keys.submitRequest(asked)).toBeUndefined();
    expect(await others.submitRequest({ ...asked, email: 'Reader@Example.org' })).toBeUndefined();
    expect(await keys.requests()).toEqual([
      {
        id: expect.any(String),
        environment: 'test',
        email: reader.email,
        name: reader.name,
        description: 'A reading plan.\nFor two people.',
        createdAt: expect.any(String),
        state: 'pending',
        decidedAt: null,
        decidedBy: null,
        reason: null,
        keyId: null,
        deliveredAt: null,
        deliveryError: null,
      },
    ]);
    await keys.issue({ ...reader, email: 'holder@example.org' }, 'a test');
    expect(await keys.submitRequest({ ...asked, email: 'holder@example.org' })).toBeUndefined();
    expect(await keys.requests('pending')).toHaveLength(1);
    expect((await keys.audit(10)).filter(({ act }) => act === 'request').map(({ note }) => note)).toEqual([
      'holder@example.org asked again, and has a key',
      'Reader@Example.org asked again, and waits',
      'by reader@example.org',
    ]);
  });

  test('requests for one address at the same moment are one', async () => {
    await Promise.all(Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? keys : others).submitRequest(asked)));
    expect(await keys.requests()).toHaveLength(1);
  });

  test.each([
    [{ email: 'nobody' }, 'email'],
    [{ email: 'a@b\r\nBcc: c@d' }, 'email'],
    [{ email: 'a@b.c\n' }, 'email'],
    [{ email: `${'x'.repeat(243)}@example.org` }, 'email'],
    [{ email: 'a@b.c, d@e.f' }, 'email'],
    [{ name: '' }, 'name'],
    [{ name: 'A\r\nBcc: c@d' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 'A\u2028B' }, 'name'],
    [{ name: '\ud800' }, 'name'],
    [{ description: ' \r\n ' }, 'description'],
    [{ description: 'x'.repeat(1_001) }, 'description'],
    [{ description: 'a\0b' }, 'description'],
    [{ description: 'a\rb' }, 'description'],
  ])('a request with %.60j is refused for its %s', async (wrong, field) => {
    await expect(keys.submitRequest({ ...asked, ...wrong })).rejects.toMatchObject({ name: 'KeyRequestError', field });
    expect(await keys.requests()).toEqual([]);
  });

  test('as much as fits is taken', async () => {
    const most = {
      ...asked,
      email: `${'x'.repeat(242)}@example.org`,
      name: 'ñ'.repeat(200),
      description: `${'x'.repeat(999)}\r\n`,
    };
    expect(await requested(most)).toMatchObject({ email: most.email, name: most.name, description: 'x'.repeat(999) });
  });

  test('approval mails a key that is good, once, and how to use and keep it', async () => {
    const { id } = await requested();
    const approved = await keys.approve(id, 'olga');
    expect(approved).toMatchObject({
      id,
      state: 'approved',
      decidedBy: 'olga',
      reason: null,
      keyId: expect.any(String),
      deliveredAt: expect.any(String),
      deliveryError: null,
    });
    const [mail, ...more] = await outbox();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      to: [{ address: reader.email, name: 'Reader' }],
      from: { address: 'lectern@localhost' },
      subject: 'Your test API key for Lectern',
    });
    const [token = '', ...twice] = tokensIn(mail);
    expect([await kind(token), twice]).toEqual(['caller', []]);
    for (const words of [
      'Hello Reader',
      'curl http://localhost:4000/graphql',
      'Authorization: Bearer',
      'test environment',
      'repository',
      'lectern@localhost',
    ])
      expect(mail?.text).toContain(words);
    expect((await keys.show(token)).id).toBe(approved.keyId);
    expect(JSON.stringify([await keys.requests(), await keys.audit(50), await keys.list()])).not.toContain(
      token.slice(9, 40),
    );
  });

  test('of approvals and rejections of one request at the same moment one holds; the others say who decided, and when', async () => {
    const { id } = await requested();
    const told = await failures(
      Array.from({ length: 9 }, (_, index) => {
        const by = index % 2 === 0 ? keys : others;
        return index % 3 === 0 ? by.reject(id, 'olga', 'No.') : by.approve(id, 'olga');
      }),
    );
    expect(told).toEqual(
      Array(8).fill(
        expect.stringMatching(/^This request was (approved|rejected) already, by olga at \d{4}-\d\d-\d\dT[\d:.]+Z\.$/),
      ),
    );
    const { state } = await keys.showRequest(id);
    expect([await keys.list(), await outbox()].map(({ length }) => length)).toEqual([state === 'approved' ? 1 : 0, 1]);
  });

  test('a request of an address that has a key by now is not approved, and still waits', async () => {
    const { id } = await requested();
    await keys.issue(reader, 'a test');
    await expect(keys.approve(id, 'olga')).rejects.toThrow(
      /has a test key by now .*Reject this request, or revoke that key/,
    );
    expect(await keys.showRequest(id)).toMatchObject({ state: 'pending', keyId: null });
    expect(await keys.list()).toHaveLength(1);
  });

  test('rejection mails the reason, and the address may ask again', async () => {
    const { id } = await requested();
    await expect(keys.reject(id, 'olga', ' ')).rejects.toMatchObject({ field: 'reason' });
    expect(await keys.reject(id, 'olga', 'We need to know more.\r\nWhat is it for?')).toMatchObject({
      state: 'rejected',
      reason: 'We need to know more.\nWhat is it for?',
      keyId: null,
      deliveredAt: expect.any(String),
    });
    const [mail] = await outbox();
    expect(mail?.text).toContain('    We need to know more.\n    What is it for?\n');
    expect(tokensIn(mail)).toEqual([]);
    await expect(keys.approve(id, 'olga')).rejects.toThrow(/rejected already, by olga/);
    expect((await requested()).id).not.toBe(id);
    await keys.resend(id, 'olga');
    expect((await outbox()).map(({ text }) => text)).toEqual([mail?.text, mail?.text]);
  });

  test('a mail that fails leaves the request approved and not delivered; sent again, it holds a fresh key, and the first is revoked', async () => {
    const { id } = await requested();
    const blocked = join(place.folder, 'outbox');
    writeFileSync(blocked, 'where the folder should be');
    const approved = await keys.approve(id, 'olga');
    expect(approved).toMatchObject({
      state: 'approved',
      deliveredAt: null,
      deliveryError: expect.stringMatching(/EEXIST|ENOTDIR/),
    });
    rmSync(blocked);
    const resent = await keys.resend(id, 'olga');
    expect(resent).toMatchObject({
      state: 'approved',
      decidedAt: approved.decidedAt,
      deliveredAt: expect.any(String),
      deliveryError: null,
    });
    expect(resent.keyId).not.toBe(approved.keyId);
    expect((await keys.show(approved.keyId ?? '')).revokedAt).not.toBeNull();
    expect(await kind(tokensIn((await outbox())[0])[0] ?? null)).toBe('caller');
  });

  test('however often it is sent again, also at the same moment, one key is good', async () => {
    const { id } = await requested();
    await keys.approve(id, 'olga');
    await Promise.allSettled([keys.resend(id, 'olga'), others.resend(id, 'olga'), keys.resend(id, 'olga')]);
    const good = (await keys.list()).filter(({ revokedAt }) => revokedAt === null);
    expect(good.map((key) => key.id)).toEqual([(await keys.showRequest(id)).keyId]);
    const states = await Promise.all((await outbox()).flatMap(tokensIn).map(kind));
    expect(states.filter((state) => state === 'caller')).toHaveLength(1);
  });

  test('there is nothing to send again while a request waits, nor after its key was revoked; after a rotation there is', async () => {
    const { id } = await requested();
    await expect(keys.resend(id, 'olga')).rejects.toThrow(/not decided yet/);
    const { keyId } = await keys.approve(id, 'olga');
    const { key } = await keys.rotate(keyId ?? '', 'olga');
    expect((await keys.showRequest(id)).keyId).toBe(key.id);
    const resent = await keys.resend(id, 'olga');
    await keys.revoke(resent.keyId ?? '', 'olga');
    await expect(keys.resend(id, 'olga')).rejects.toThrow(/was revoked .* keys issue --email reader@example.org/);
  });

  test('every act is on record, newest first, and no key gets into it', async () => {
    const { key, token } = await keys.issue(reader, 'command');
    await keys.record({
      by: 'olga',
      act: 'sign-in',
      keyId: null,
      requestId: null,
      note: `from 127.0.0.1\r\nwith ${token}`,
    });
    await keys.revoke(key.id, 'olga');
    const entries = await keys.audit(10);
    expect(entries.map(({ by, act, keyId }) => [by, act, keyId])).toEqual([
      ['olga', 'revoke', key.id],
      ['olga', 'sign-in', null],
      ['command', 'issue', key.id],
    ]);
    expect(entries[1]?.note).toBe('from 127.0.0.1 with svc_test_[redacted]');
    expect(await keys.audit(1)).toEqual(entries.slice(0, 1));
    expect(Date.parse(entries[0]?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(key.createdAt));
  });

  test('a session is known to every process until it ends, is over, or the password is another', async () => {
    let time = Date.parse('2026-01-01T00:00:00Z');
    const late = await place.open({ now: () => new Date(time) });
    const secret = await late.sessions.open({ password: 'first', seconds: 60 });
    const session = await late.sessions.find(secret, 'first');
    expect(session).toEqual({ csrf: expect.any(String), expiresAt: '2026-01-01T00:01:00.000Z' });
    expect(session?.csrf).not.toContain(secret);
    expect([
      await late.sessions.find(secret, 'second'),
      await late.sessions.find(`${secret}x`, 'first'),
      await late.sessions.find('', 'first'),
    ]).toEqual([null, null, null]);
    time += 60_000;
    expect(await late.sessions.find(secret, 'first')).toBeNull();
    await late.close();
    const mine = await keys.sessions.open({ password: 'first', seconds: 60 });
    expect(await others.sessions.find(mine, 'first')).toEqual(await keys.sessions.find(mine, 'first'));
    await others.sessions.end(mine);
    expect(await keys.sessions.find(mine, 'first')).toBeNull();
  });
});
