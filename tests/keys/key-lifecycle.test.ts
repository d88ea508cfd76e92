import { issueKey } from '../support/embedded-lectern';
import { changeAddress, keyStores, rejections, useKeyStore } from '../support/key-stores';

const reader = { email: 'reader@example.org', name: 'Reader', environment: 'test' } as const;

describe.each(keyStores)('API keys in %s', (_, start) => {
  const store = useKeyStore(start);
  const kindOf = async (token: string | null) => (await store.keys.authenticate(token, 'test')).kind;

  test('keys.authenticate accepts a key only in its environment, and rejects every text that differs from it', async () => {
    const { key, token } = await issueKey(store.keys);
    expect(await store.keys.authenticate(token, 'test')).toEqual({ kind: 'caller', key });
    expect(await store.keys.authenticate(token, 'live')).toEqual({ kind: 'other-environment' });
    expect(
      await Promise.all(
        [null, '', 'x', `${token}x`, token.slice(0, -1), token.replace('test', 'live'), `${token}\0`].map(kindOf),
      ),
    ).toEqual(Array(7).fill('unknown'));
  });

  test('keys.authenticate notices at once that another connection to the key store has issued or revoked a key', async () => {
    const { key, token } = await issueKey(store.otherKeys);
    expect([await kindOf(token), await kindOf(token)]).toEqual(['caller', 'caller']);
    await store.otherKeys.revoke(key.id, 'a test');
    expect(await kindOf(token)).toBe('unknown');
    const again = await issueKey(store.keys);
    expect(await kindOf(again.token)).toBe('caller');
    await store.keys.revoke(again.key.id, 'a test');
    expect(await kindOf(again.token)).toBe('unknown');
  });

  test('many concurrent calls of keys.authenticate each return the key of the given token', async () => {
    const issued = await Promise.all(
      Array.from({ length: 20 }, (_, index) => issueKey(store.keys, { email: `reader-${index}@example.org` })),
    );
    const found = await Promise.all([...issued, ...issued].map(({ token }) => store.keys.authenticate(token, 'test')));
    expect(found).toEqual([...issued, ...issued].map(({ key }) => ({ kind: 'caller', key })));
  });

  test('if several concurrent calls of keys.issue name the same email address, only one of them creates a key', async () => {
    const messages = await rejections(
      Array.from({ length: 6 }, (_, index) =>
        issueKey(index % 2 === 0 ? store.keys : store.otherKeys, {
          email: index % 3 === 0 ? 'READER@example.org' : reader.email,
        }),
      ),
    );
    expect(messages).toEqual(
      Array(5).fill(
        expect.stringMatching(/has a test key already \(.*\)\. Revoke it first: keys revoke [0-9a-f-]{36}$/),
      ),
    );
    expect(await store.keys.list()).toHaveLength(1);
  });

  test('keys.issue creates one active key per environment for an email address, in upper or lower case', async () => {
    const first = await issueKey(store.keys, { email: 'Reader@Example.org' });
    await issueKey(store.keys, { email: 'reader@example.ORG', environment: 'live' });
    for (const environment of ['test', 'live'] as const)
      await expect(issueKey(store.otherKeys, { email: 'reader@example.ORG', environment })).rejects.toThrow(
        `has a ${environment} key already`,
      );
    await store.keys.revoke(first.token, 'a test');
    expect((await issueKey(store.keys, { email: 'reader@example.ORG' })).token).not.toBe(first.token);
  });

  test('keys.rotate fails and names the other key if an active key has the same address in another spelling', async () => {
    const first = await issueKey(store.keys);
    const second = await issueKey(store.keys, { email: 'second@example.org' });
    await changeAddress(store.deployment, second.key.id, 'reader@example。org');
    await expect(store.keys.rotate(second.key.id, 'a test')).rejects.toThrow(
      `Another test key has the address reader@example。org too (${first.key.id}, reader@example.org, ends in ${first.key.last4}), so nothing was changed. Revoke that key first: keys revoke ${first.key.id}`,
    );
    expect([await kindOf(first.token), await kindOf(second.token)]).toEqual(['caller', 'caller']);
    await store.keys.revoke(first.key.id, 'a test');
    expect(await kindOf((await store.keys.rotate(second.key.id, 'a test')).token)).toBe('caller');
  });

  test('keys.rotate keeps the rate limits of a key, and keys.issue rejects limits that are not positive whole numbers', async () => {
    expect((await issueKey(store.keys, { environment: 'live' })).key.requestsPerDay).toBeNull();
    const { key } = await issueKey(store.keys, { requestsPerDay: 5_000, requestsPerMinute: 7 });
    expect((await store.keys.rotate(key.id, 'a test')).key).toMatchObject({
      requestsPerDay: 5_000,
      requestsPerMinute: 7,
    });
    await expect(issueKey(store.keys, { email: 'b@example.org', requestsPerDay: 0 })).rejects.toThrow(/whole number/);
    await expect(issueKey(store.keys, { email: 'b@example.org', requestsPerDay: 1.5 })).rejects.toThrow(/whole number/);
    await expect(issueKey(store.keys, { email: 'b@example.org', requestsPerMinute: -1 })).rejects.toThrow(
      'The requests a minute must be a whole number',
    );
  });

  test('keys.setLimits changes only the limits that its argument names, and the audit log has the previous limits', async () => {
    const { key } = await issueKey(store.keys, { requestsPerDay: 5_000 });
    await store.keys.setLimits(key.id, { requestsPerMinute: 7 }, 'a test');
    await store.keys.setLimits(key.id, { requestsPerDay: null }, 'a test');
    expect(await store.otherKeys.show(key.id)).toMatchObject({ requestsPerDay: null, requestsPerMinute: 7 });
    expect((await store.keys.audit(2)).map(({ note }) => note)).toEqual([
      'the default number of requests a day, before 5000',
      '7 requests a minute, before the default number',
    ]);
  });

  test('keys.rotate replaces a key by a new key, rejects a revoked key, and succeeds in only one of two concurrent calls', async () => {
    const { key, token } = await issueKey(store.keys);
    const next = await store.keys.rotate(key.last4, 'a test');
    expect([await kindOf(token), await kindOf(next.token)]).toEqual(['unknown', 'caller']);
    expect(next.key).toMatchObject({ email: reader.email, name: reader.name, environment: 'test', revokedAt: null });
    await expect(store.keys.rotate(key.id, 'a test')).rejects.toThrow(/revoked already/);
    expect(
      await rejections([store.keys.rotate(next.key.id, 'a test'), store.otherKeys.rotate(next.key.id, 'a test')]),
    ).toHaveLength(1);
    expect((await store.keys.list()).filter(({ revokedAt }) => revokedAt === null)).toHaveLength(1);
  });

  test('keys.show finds a key by its id, its last four characters or its token, and rejects unknown and malformed ids', async () => {
    const { key, token } = await issueKey(store.keys);
    for (const which of [key.id, key.last4, token]) expect(await store.keys.show(which)).toEqual(key);
    await expect(store.keys.show('nope')).rejects.toThrow("No key has the id or the ending 'nope'. See: keys list");
    await expect(store.keys.show('\0')).rejects.toThrow(/No key has/);
    await expect(store.keys.showRequest('\0')).rejects.toThrow(/No request has/);
  });

  test('keys.audit lists the newest actions first, at most as many as its argument says, and redacts API keys in notes', async () => {
    const { key, token } = await store.keys.issue(reader, 'command');
    await store.keys.record({
      by: 'olga',
      act: 'sign-in',
      keyId: null,
      requestId: null,
      note: `from 127.0.0.1\r\nwith ${token}`,
    });
    await store.keys.revoke(key.id, 'olga');
    const entries = await store.keys.audit(10);
    expect(entries.map(({ by, act, keyId }) => [by, act, keyId])).toEqual([
      ['olga', 'revoke', key.id],
      ['olga', 'sign-in', null],
      ['command', 'issue', key.id],
    ]);
    expect(entries[1]?.note).toBe('from 127.0.0.1 with svc_test_[redacted]');
    expect(await store.keys.audit(1)).toEqual(entries.slice(0, 1));
    expect(Date.parse(entries[0]?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(key.createdAt));
  });

  test("each connection to the key store finds an operator's session until it ends or expires, or the password changes", async () => {
    let time = Date.parse('2026-01-01T00:00:00Z');
    const timedKeys = await store.deployment.open({ now: () => new Date(time) });
    const secret = await timedKeys.sessions.open({ password: 'first', seconds: 60 });
    const session = await timedKeys.sessions.find(secret, 'first');
    expect(session).toEqual({ csrf: expect.any(String), expiresAt: '2026-01-01T00:01:00.000Z' });
    expect(session?.csrf).not.toContain(secret);
    expect([
      await timedKeys.sessions.find(secret, 'second'),
      await timedKeys.sessions.find(`${secret}x`, 'first'),
      await timedKeys.sessions.find('', 'first'),
    ]).toEqual([null, null, null]);
    time += 60_000;
    expect(await timedKeys.sessions.find(secret, 'first')).toBeNull();
    await timedKeys.close();
    const otherSecret = await store.keys.sessions.open({ password: 'first', seconds: 60 });
    expect(await store.otherKeys.sessions.find(otherSecret, 'first')).toEqual(
      await store.keys.sessions.find(otherSecret, 'first'),
    );
    await store.otherKeys.sessions.end(otherSecret);
    expect(await store.keys.sessions.find(otherSecret, 'first')).toBeNull();
  });
});
