import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyRequest } from '@lectern/keys';
import { issueKey } from '../support/embedded-lectern';
import { keyStores, rejections, startSqlite, useKeyStore } from '../support/key-stores';
import { keysInEmail, readOutbox } from '../support/outbox';

const reader = { email: 'reader@example.org', name: 'Reader', environment: 'test' } as const;
const form = { ...reader, description: 'A reading plan.\r\nFor two people.' };

describe.each(keyStores)('key requests in %s', (_, start) => {
  const store = useKeyStore(start);
  const kindOf = async (token: string | null) => (await store.keys.authenticate(token, 'test')).kind;
  const outbox = () => readOutbox(join(store.deployment.folder, 'outbox'));

  /** Submits the key request form and returns the pending key request. */
  const submit = async (
    values: Partial<Record<'email' | 'name' | 'description', string>> = {},
  ): Promise<KeyRequest> => {
    await store.keys.submitRequest({ ...form, ...values });
    const request = (await store.keys.requests('pending')).at(-1);
    if (!request) throw new Error('the request was not stored');
    return request;
  };

  test('keys.submitRequest stores nothing for an address with a pending request or a key, but returns the same result', async () => {
    expect(await store.keys.submitRequest(form)).toBeUndefined();
    expect(await store.otherKeys.submitRequest({ ...form, email: 'Reader@Example.org' })).toBeUndefined();
    expect(await store.keys.requests()).toEqual([
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
    await issueKey(store.keys, { email: 'holder@example.org' });
    expect(await store.keys.submitRequest({ ...form, email: 'holder@example.org' })).toBeUndefined();
    expect(await store.keys.requests('pending')).toHaveLength(1);
    expect((await store.keys.audit(10)).filter(({ act }) => act === 'request').map(({ note }) => note)).toEqual([
      'holder@example.org submitted the form again, and has a key',
      'Reader@Example.org submitted the form again, and has a pending request',
      'by reader@example.org',
    ]);
  });

  test('if several concurrent calls of keys.submitRequest name the same email address, only one request is stored', async () => {
    await Promise.all(
      Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? store.keys : store.otherKeys).submitRequest(form)),
    );
    expect(await store.keys.requests()).toHaveLength(1);
  });

  test('keys.submitRequest accepts values of the maximum length', async () => {
    const most = {
      ...form,
      email: `${'x'.repeat(242)}@example.org`,
      name: 'ñ'.repeat(200),
      description: `${'x'.repeat(999)}\r\n`,
    };
    expect(await submit(most)).toMatchObject({ email: most.email, name: most.name, description: 'x'.repeat(999) });
  });

  test('keys.approve emails an active key once, and requests, lists and the audit log do not contain the token', async () => {
    const { id } = await submit();
    const approved = await store.keys.approve(id, 'olga');
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
    const [token = '', ...twice] = keysInEmail(mail);
    expect([await kindOf(token), twice]).toEqual(['caller', []]);
    for (const words of [
      'Hello Reader',
      'curl http://localhost:4000/graphql',
      'Authorization: Bearer',
      'test environment',
      'repository',
      'lectern@localhost',
    ])
      expect(mail?.text).toContain(words);
    expect((await store.keys.show(token)).id).toBe(approved.keyId);
    expect(
      JSON.stringify([await store.keys.requests(), await store.keys.audit(50), await store.keys.list()]),
    ).not.toContain(token.slice(9, 40));
  });

  test('of several decisions on a key request only one succeeds, and the errors of the rest name operator and time', async () => {
    const { id } = await submit();
    const messages = await rejections(
      Array.from({ length: 9 }, (_, index) => {
        const by = index % 2 === 0 ? store.keys : store.otherKeys;
        return index % 3 === 0 ? by.reject(id, 'olga', 'No.') : by.approve(id, 'olga');
      }),
    );
    expect(messages).toEqual(
      Array(8).fill(
        expect.stringMatching(/^This request was (approved|rejected) already, by olga at \d{4}-\d\d-\d\dT[\d:.]+Z\.$/),
      ),
    );
    const { state } = await store.keys.showRequest(id);
    expect([await store.keys.list(), await outbox()].map(({ length }) => length)).toEqual([
      state === 'approved' ? 1 : 0,
      1,
    ]);
  });

  test('keys.approve fails if the email address of the key request has received a key meanwhile, and leaves the request pending', async () => {
    const { id } = await submit();
    await issueKey(store.keys);
    await expect(store.keys.approve(id, 'olga')).rejects.toThrow(
      /has a test key by now .*Reject this request, or revoke that key/,
    );
    expect(await store.keys.showRequest(id)).toMatchObject({ state: 'pending', keyId: null });
    expect(await store.keys.list()).toHaveLength(1);
  });

  test('keys.reject requires a reason, and sends an email with the reason and without a key', async () => {
    const { id } = await submit();
    await expect(store.keys.reject(id, 'olga', ' ')).rejects.toMatchObject({ field: 'reason' });
    expect(await store.keys.reject(id, 'olga', 'We need to know more.\r\nWhat is it for?')).toMatchObject({
      state: 'rejected',
      reason: 'We need to know more.\nWhat is it for?',
      keyId: null,
      deliveredAt: expect.any(String),
    });
    const [mail] = await outbox();
    expect(mail?.text).toContain('    We need to know more.\n    What is it for?\n');
    expect(keysInEmail(mail)).toEqual([]);
  });

  test('a rejected key request cannot be approved, but its email can be sent again, and a new request submitted', async () => {
    const { id } = await submit();
    await store.keys.reject(id, 'olga', 'No.');
    const [mail] = await outbox();
    await expect(store.keys.approve(id, 'olga')).rejects.toThrow(/rejected already, by olga/);
    expect((await submit()).id).not.toBe(id);
    await store.keys.resend(id, 'olga');
    expect((await outbox()).map(({ text }) => text)).toEqual([mail?.text, mail?.text]);
  });

  test('if the approval email of a key request fails, keys.resend emails a new token of the same key', async () => {
    const { id } = await submit();
    const blocked = join(store.deployment.folder, 'outbox');
    writeFileSync(blocked, 'where the folder should be');
    const approved = await store.keys.approve(id, 'olga');
    expect(approved).toMatchObject({
      state: 'approved',
      deliveredAt: null,
      deliveryError: expect.stringMatching(/EEXIST|ENOTDIR/),
    });
    rmSync(blocked);
    const resent = await store.keys.resend(id, 'olga');
    expect(resent).toMatchObject({
      state: 'approved',
      decidedAt: approved.decidedAt,
      deliveredAt: expect.any(String),
      deliveryError: null,
    });
    expect(resent.keyId).toBe(approved.keyId);
    expect(await kindOf(keysInEmail((await outbox())[0])[0] ?? null)).toBe('caller');
  });

  test('after three concurrent calls of keys.resend for one key request, exactly one key is active', async () => {
    const { id } = await submit();
    await store.keys.approve(id, 'olga');
    await Promise.allSettled([
      store.keys.resend(id, 'olga'),
      store.otherKeys.resend(id, 'olga'),
      store.keys.resend(id, 'olga'),
    ]);
    const good = (await store.keys.list()).filter(({ revokedAt }) => revokedAt === null);
    expect(good.map((key) => key.id)).toEqual([(await store.keys.showRequest(id)).keyId]);
    const states = await Promise.all((await outbox()).flatMap(keysInEmail).map(kindOf));
    expect(states.filter((state) => state === 'caller')).toHaveLength(1);
  });

  test('keys.resend fails for a pending request or a revoked key, and succeeds for a request whose key was rotated', async () => {
    const { id } = await submit();
    await expect(store.keys.resend(id, 'olga')).rejects.toThrow(/not decided yet/);
    const { keyId } = await store.keys.approve(id, 'olga');
    const { key } = await store.keys.rotate(keyId ?? '', 'olga');
    expect((await store.keys.showRequest(id)).keyId).toBe(key.id);
    const resent = await store.keys.resend(id, 'olga');
    await store.keys.revoke(resent.keyId ?? '', 'olga');
    await expect(store.keys.resend(id, 'olga')).rejects.toThrow(
      /is revoked already .* npm run keys -- issue --email reader@example.org/,
    );
  });
});

describe('the form of a key request', () => {
  const store = useKeyStore(startSqlite);

  const invalid: readonly (readonly [object, string])[] = [
    [{ email: '' }, 'email'],
    [{ email: 'nobody' }, 'email'],
    [{ email: 'a@b@c' }, 'email'],
    [{ email: 'a b@c.d' }, 'email'],
    [{ email: 'a@<b>' }, 'email'],
    [{ email: 'a@b\r\nBcc: c@d' }, 'email'],
    [{ email: 'a@b.c\n' }, 'email'],
    [{ email: `${'x'.repeat(243)}@example.org` }, 'email'],
    [{ email: 'a@b.c, d@e.f' }, 'email'],
    [{ email: 'a@b.c.' }, 'email'],
    [{ email: 'a@b..c' }, 'email'],
    [{ email: 'a\u200b@b.c' }, 'email'],
    [{ email: 'a@b.c/d' }, 'email'],
    [{ email: 'a@b.c\\d' }, 'email'],
    [{ email: 'a@%62.c' }, 'email'],
    [{ email: 'a@\u202eb.c' }, 'email'],
    [{ email: 'a@xn--a.c' }, 'email'],
    [{ name: '' }, 'name'],
    [{ name: 'A\r\nBcc: c@d' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 'A\u2028B' }, 'name'],
    [{ name: '\ud800' }, 'name'],
    [{ description: ' \r\n ' }, 'description'],
    [{ description: 'x'.repeat(1_001) }, 'description'],
    [{ description: 'a\0b' }, 'description'],
    [{ description: 'a\rb' }, 'description'],
  ];
  // The name of a test shows only the first 60 characters of the invalid value.
  test.each(invalid.map(([wrong, field]) => [JSON.stringify(wrong).slice(0, 60), field, wrong] as const))(
    'keys.submitRequest rejects %s with an error for the field %s',
    async (_, field, wrong) => {
      await expect(store.keys.submitRequest({ ...form, ...wrong })).rejects.toMatchObject({
        name: 'KeyRequestError',
        field,
      });
      expect(await store.keys.requests()).toEqual([]);
    },
  );
});
