import { issueKey } from '../support/embedded-lectern';
import { keyStores, rejections, useKeyStore } from '../support/key-stores';

const reader = { email: 'reader@example.org', name: 'Reader', environment: 'test' } as const;

describe.each(keyStores)('API keys in %s', (_, start) => {
  const store = useKeyStore(start);
  const kindOf = async (token: string | null) => (await store.keys.authenticate(token, 'test')).kind;

  const day = 86_400_000;
  /** Opens the key store of the test with a clock of its own, which stands at the beginning of 2026. */
  const openWithClock = async () => {
    let time = Date.parse('2026-01-01T00:00:00Z');
    const keys = await store.deployment.open({ now: () => new Date(time), env: { DATABASE_TIMEOUT_MS: '20000' } });
    return {
      keys,
      advance: (milliseconds: number) => void (time += milliseconds),
      kindOf: async (token: string) => (await keys.authenticate(token, 'test')).kind,
    };
  };

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
        expect.stringMatching(/has a test key already \(.*\)\. Revoke it first: npm run keys -- revoke [0-9a-f-]{36}$/),
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

  test('keys.setLimits stores addresses as gateways count them, and rejects everything else', async () => {
    const { key } = await issueKey(store.keys, { addresses: '203.0.113.7=600' });
    expect(key.addresses).toBe('203.0.113.7=600');
    const set = (addresses: string | null) => store.otherKeys.setLimits(key.id, { addresses }, 'a test');
    const changed = await set('::ffff:192.0.2.1=5, 2001:db8::1=1000000000\n[2001:db8:0:1::]=7');
    expect(changed.addresses).toBe('192.0.2.1=5 2001:db8::/64=1000000000 2001:db8:0:1::/64=7');
    const many = Array.from({ length: 21 }, (_, number) => `1.2.3.${number}=5`).join();
    const addresses = '7 203.0.113 0x7f.1 203.0.113.0/24 example.org'.split(' ').map((address) => `${address}=5`);
    const limits = ['', '=', '=0', '=-1', '=1e3', '=1000000001', '=5=6', '=none', '=5\0'].map(
      (limit) => `1.2.3.4${limit}`,
    );
    for (const invalid of [...addresses, ...limits, many, '', ' , ', '=5', '2001:db8::1=5 2001:db8::2=5'])
      await expect(set(invalid)).rejects.toThrow('The addresses must be at most 20 different ones');
    expect(await store.keys.show(key.id)).toEqual(changed);
    expect((await set(null)).addresses).toBeNull();
    expect((await store.keys.rotate(key.id, 'a test')).key.addresses).toBeNull();
    expect((await store.keys.audit(2))[1]?.note).toBe(`addresses: none, before ${changed.addresses}`);
  });

  test('keys.setGrants sorts translations, keys.rotate keeps them, and the audit log has the previous ones', async () => {
    const { key } = await issueKey(store.keys);
    expect(key.grants).toBe('');
    await store.keys.setGrants(key.id, () => ['eng-own', 'deu-own', 'eng-own'], 'a test');
    const next = await store.otherKeys.rotate(key.id, 'a test');
    expect(next.key.grants).toBe('deu-own eng-own');
    const found = await store.keys.authenticate(next.token, 'test');
    expect(found).toMatchObject({ kind: 'caller', key: { grants: 'deu-own eng-own' } });
    await store.keys.setGrants(next.key.id, () => [], 'a test');
    expect((await store.keys.audit(1)).map(({ act, note }) => [act, note])).toEqual([
      ['grant', 'no restricted translations, before deu-own eng-own'],
    ]);
  });

  test('keys.setGrants rejects malformed identifiers, more than 100 translations, and a revoked key', async () => {
    const { key } = await issueKey(store.keys);
    const set = (translations: readonly string[]) => store.keys.setGrants(key.id, () => translations, 'a test');
    for (const malformed of ['', 'Deu', 'a b', 'x'.repeat(101)])
      await expect(set([malformed])).rejects.toThrow('is not the identifier of a translation');
    await expect(set(Array.from({ length: 101 }, (_, index) => `t-${index}`))).rejects.toThrow('at most 100');
    await store.keys.revoke(key.id, 'a test');
    await expect(set(['eng-own'])).rejects.toThrow('is revoked');
  });

  test('keys.rotate gives a key a new token with the same id, rejects the old token at once, and rejects a revoked key', async () => {
    const { key, token } = await issueKey(store.keys);
    expect(await kindOf(token)).toBe('caller');
    const next = await store.otherKeys.rotate(key.last4, 'a test');
    expect([await kindOf(token), await kindOf(next.token)]).toEqual(['unknown', 'caller']);
    expect(next.key).toEqual({ ...key, last4: next.token.slice(-4) });
    await expect(store.keys.show(token)).rejects.toThrow('No key has');
    await store.keys.revoke(key.id, 'a test');
    await expect(store.keys.rotate(key.id, 'a test')).rejects.toThrow(/revoked already .* Issue a new one/);
  });

  test('of two concurrent calls of keys.rotate that saw the same token, only one succeeds', async () => {
    const { key } = await issueKey(store.keys);
    const rotate = (keys: typeof store.keys) => keys.rotate(key.id, 'a test', { seen: key.last4 });
    expect(await rejections([rotate(store.keys), rotate(store.otherKeys)])).toEqual([
      expect.stringMatching(/was rotated already|has just rotated/),
    ]);
  });

  test('with an overlap, keys.rotate lets the old token work until the overlap ends, and both tokens select the key until then', async () => {
    const clock = await openWithClock();
    const { key, token } = await issueKey(clock.keys);
    const next = await clock.keys.rotate(key.id, 'a test', { overlap: '7d' });
    expect(next.key).toEqual({
      ...key,
      last4: next.token.slice(-4),
      oldLast4: key.last4,
      oldUntil: '2026-01-08T00:00:00.000Z',
    });
    const kinds = async () => [await clock.kindOf(token), await clock.kindOf(next.token)];
    const found = await clock.keys.authenticate(token, 'test');
    expect(found).toEqual({ kind: 'caller', key: next.key });
    for (const selector of [token, key.last4]) expect(await clock.keys.show(selector)).toEqual(next.key);
    clock.advance(7 * day - 1);
    expect(await kinds()).toEqual(['caller', 'caller']);
    clock.advance(1);
    expect(await kinds()).toEqual(['unknown', 'caller']);
    for (const selector of [token, key.last4]) await expect(clock.keys.show(selector)).rejects.toThrow('No key has');
    expect((await clock.keys.audit(1))[0]).toMatchObject({
      act: 'rotate',
      keyId: key.id,
      note: `...${next.key.last4} in place of ...${key.last4}, which works until 2026-01-08T00:00:00.000Z`,
    });
    await clock.keys.close();
  });

  test('a second rotation rejects the token of before the first, and a revocation rejects both tokens of a key', async () => {
    const { key, token: first } = await issueKey(store.keys);
    const { token: second } = await store.keys.rotate(key.id, 'a test', { overlap: '7d' });
    const { token: third } = await store.otherKeys.rotate(key.id, 'a test', { overlap: '1h' });
    expect([await kindOf(first), await kindOf(second), await kindOf(third)]).toEqual(['unknown', 'caller', 'caller']);
    await store.otherKeys.revoke(key.id, 'a test');
    expect([await kindOf(second), await kindOf(third)]).toEqual(['unknown', 'unknown']);
  });

  test('an expired key is rejected in both environments, and its e-mail address may get another key', async () => {
    const clock = await openWithClock();
    const { key, token } = await issueKey(clock.keys, { expires: '90d' });
    expect(key.expiresAt).toBe('2026-04-01T00:00:00.000Z');
    const rotated = await clock.keys.rotate(key.id, 'a test', { overlap: '2026-04-01' });
    clock.advance(90 * day - 1);
    expect([await clock.kindOf(token), await clock.kindOf(rotated.token)]).toEqual(['caller', 'caller']);
    await expect(issueKey(clock.keys)).rejects.toThrow('has a test key already');
    clock.advance(1);
    expect([await clock.kindOf(token), await clock.kindOf(rotated.token)]).toEqual(['unknown', 'unknown']);
    expect(await clock.keys.authenticate(rotated.token, 'live')).toEqual({ kind: 'unknown' });
    expect(clock.keys.stateOf(await clock.keys.show(key.id))).toBe('expired');
    for (const change of [
      () => clock.keys.rotate(key.id, 'a test'),
      () => clock.keys.setLimits(key.id, { requestsPerDay: 1 }, 'a test'),
      () => clock.keys.setGrants(key.id, () => ['eng-own'], 'a test'),
    ])
      await expect(change()).rejects.toThrow('has expired (2026-04-01T00:00:00.000Z)');
    await clock.keys.submitRequest({ ...reader, description: 'Another key.' });
    const [request] = await clock.keys.requests('pending');
    const { keyId } = await clock.keys.approve(request?.id ?? '', 'olga');
    const states = (await clock.keys.list()).map((each) => [each.id, clock.keys.stateOf(each)]);
    expect(states).toEqual([
      [key.id, 'expired'],
      [keyId, 'active'],
    ]);
    await clock.keys.close();
  });

  test.each([
    '0d',
    '-1d',
    '91x',
    'tomorrow',
    '1.5d',
    '2026-02-30',
    '2025-12-31',
    '9999d',
    '99999d',
    '2026-1-5',
    '90 d',
  ])('keys.issue and keys.rotate reject the end %j, and say which ends are possible', async (end) => {
    const clock = await openWithClock();
    await expect(issueKey(clock.keys, { expires: end })).rejects.toThrow(/^The expiry must be a time from now/);
    const { key } = await issueKey(clock.keys);
    const rotation = clock.keys.rotate(key.id, 'a test', { overlap: end });
    await expect(rotation).rejects.toThrow(/^The overlap must .* at most 90 days ahead, not '/);
    expect(await clock.keys.show(key.id)).toEqual(key);
    await clock.keys.close();
  });

  test('keys.show finds a key by its id, its last four characters or its token, and rejects unknown and malformed ids', async () => {
    const { key, token } = await issueKey(store.keys);
    for (const which of [key.id, key.last4, token]) expect(await store.keys.show(which)).toEqual(key);
    await expect(store.keys.show('nope')).rejects.toThrow(
      "No key has the id or the ending 'nope'. See: npm run keys -- list",
    );
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
