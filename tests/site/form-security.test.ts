import { send, useStarted } from '@lectern/testing';
import { operatorPassword } from '../support/admin-fixture';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { createBrowserClient, hiddenFields, visibleText } from '../support/form-client';
import { formPath, useKeyRequestForm, validFields } from '../support/key-request-form';

const form = 'application/x-www-form-urlencoded';
let time = Date.parse('2026-03-01T10:00:00Z');
const { lectern, createClient, savedRequests } = useKeyRequestForm({ now: () => time });

describe('forged key requests', () => {
  /**
   * Resolves with the status of the response, and with how many key requests of the forged address
   * are saved afterwards.
   */
  const outcomeOf = async (response: Promise<{ status: number }>): Promise<number[]> => [
    (await response).status,
    (await savedRequests('forged@example.org')).length,
  ];
  const fields = { ...validFields, email: 'forged@example.org' };

  test.each([
    ['no CSRF token', {}],
    ['an invented CSRF token', { token: '9999999999999.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['half a CSRF token', { token: '9999999999999' }],
  ])(
    'a POST of the key request form with %s gets 403, saves no request, and shows the filled-in form with a valid token',
    async (_, csrfFields) => {
      const client = createClient();
      await client.get(formPath);
      const { status, text } = await client.post(formPath, { ...fields, ...csrfFields });
      expect([status, visibleText(text), await savedRequests(fields.email)]).toEqual([
        403,
        expect.stringContaining('Nothing was sent yet'),
        [],
      ]);
      expect(text).toContain(`value="${fields.name}"`);
      expect(
        (await client.post(formPath, { ...fields, ...hiddenFields(text), email: 'again@example.org' })).status,
      ).toBe(303);
    },
  );

  test('the key request form rejects the CSRF token of another browser', async () => {
    const [client, otherClient] = [createClient(), createClient()];
    await client.get(formPath);
    expect(
      await outcomeOf(client.post(formPath, { ...fields, ...hiddenFields((await otherClient.get(formPath)).text) })),
    ).toEqual([403, 0]);
  });

  test('the key request form rejects a CSRF token without its cookie', async () => {
    const client = createClient();
    const csrfFields = hiddenFields((await client.get(formPath)).text);
    client.cookies.clear();
    expect(await outcomeOf(client.post(formPath, { ...fields, ...csrfFields }))).toEqual([403, 0]);
  });

  test('the key request form rejects a CSRF token that is older than four hours, even if the time in the token was changed', async () => {
    const client = createClient();
    const { token = '' } = hiddenFields((await client.get(formPath)).text);
    time += 4 * 3_600_000 + 1;
    try {
      expect(await outcomeOf(client.post(formPath, { ...fields, token }))).toEqual([403, 0]);
      expect(
        await outcomeOf(
          client.post(formPath, {
            ...fields,
            token: `${Number(token.split('.')[0]) + 3_600_000}.${token.split('.')[1] ?? ''}`,
          }),
        ),
      ).toEqual([403, 0]);
    } finally {
      time -= 4 * 3_600_000 + 1;
    }
  });

  test.each([
    [['Sec-Fetch-Site', 'cross-site']],
    [['Sec-Fetch-Site', 'same-site']],
    [['Sec-Fetch-Site', 'none']],
    [['Origin', 'https://evil.example']],
    [['Origin', 'null']],
  ])('the key request form rejects a POST with the header %j', async (headers) => {
    const { status, text } = await createClient().submitForm(formPath, fields, {
      headers: ['Content-Type', form, ...headers],
    });
    expect([status, visibleText(text), await savedRequests(fields.email)]).toEqual([
      403,
      expect.stringContaining('a page of another site'),
      [],
    ]);
  });

  test('the key request form accepts a POST without Sec-Fetch-Site and Origin, which old browsers do not send', async () => {
    expect(
      (
        await createClient().submitForm(
          formPath,
          { ...validFields, email: 'old@example.org' },
          { headers: ['Content-Type', form] },
        )
      ).status,
    ).toBe(303);
  });
});

test('if the hidden honeypot field is filled in, the key request form confirms the request to the sender and does not save it', async () => {
  const { status, headers } = await createClient().submitForm(formPath, {
    ...validFields,
    email: 'program@example.org',
    homepage: 'https://spam.example',
  });
  expect([status, headers.location]).toEqual([303, '/api-keys/request/sent']);
  expect(await savedRequests('program@example.org')).toEqual([]);
});

test.each([
  [415, 'JSON', ['Content-Type', 'application/json'], '{}'],
  [415, 'a multipart form', ['Content-Type', 'multipart/form-data; boundary=x'], '--x--'],
  [415, 'a body without a Content-Type', [], 'name=x'],
  [415, 'a form in UTF-16', ['Content-Type', `${form}; charset=utf-16`], 'name=x'],
  [415, 'a compressed form', ['Content-Type', form, 'Content-Encoding', 'gzip'], 'name=x'],
  [413, '16 kB and one byte', ['Content-Type', form], 'x'.repeat(16_385)],
  [
    413,
    '16 kB and one byte without a Content-Length',
    ['Content-Type', form, 'Transfer-Encoding', 'chunked'],
    'x'.repeat(16_385),
  ],
])('the key request form responds %i with an HTML page to a POST of %s', async (expected, _, headers, body) => {
  const { status, headers: received, text } = await createClient().post(formPath, body, { headers });
  expect([status, received['content-type']]).toEqual([expected, 'text/html; charset=utf-8']);
  expect(text).toContain('<h1>');
});

test('the key request form responds 413 to a too large Content-Length before the body arrives', async () => {
  const declared = send(`${lectern.origin}${formPath}`, {
    headers: ['Content-Type', form, 'Content-Length', '10000000', 'X-Forwarded-For', '198.51.101.1'],
    body: 'x',
  });
  expect((await declared).status).toBe(413);
});

test('the key request form responds 405 with the allowed methods to a PUT', async () => {
  const { status, headers } = await send(`${lectern.origin}${formPath}`, { method: 'PUT' });
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD, POST']);
});

test('the sixth key request from one IP address within an hour gets 429 and shows the filled-in form again', async () => {
  const client = createClient();
  for (let sent = 1; sent <= 5; sent += 1)
    expect((await client.submitForm(formPath, { ...validFields, email: `reader-${sent}@example.org` })).status).toBe(
      303,
    );
  const { status, headers, text } = await client.submitForm(formPath, {
    ...validFields,
    email: 'reader-6@example.org',
  });
  expect([status, headers['retry-after']]).toEqual([429, '3600']);
  expect(visibleText(text)).toContain('Send this one again in 60 minutes.');
  expect(text).toContain('value="reader-6@example.org"');
  expect(await savedRequests('reader-6@example.org')).toEqual([]);
  expect((await createClient().submitForm(formPath, { ...validFields, email: 'neighbour@example.org' })).status).toBe(
    303,
  );
  time += 3_600_000;
  expect((await client.submitForm(formPath, { ...validFields, email: 'reader-6@example.org' })).status).toBe(303);
});

describe('a service with the option secureCookies', () => {
  const secure = useStarted(() => startEmbeddedLectern({ operatorPassword, secureCookies: true }));

  test('the two cookies of operator sign-in have the prefix __Host- and the attribute Secure if the option secureCookies is on', async () => {
    const client = createBrowserClient(secure.origin);
    const { headers } = await client.submitForm('/admin/sign-in', { password: operatorPassword });
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-lectern-known-browser=[\w.-]+; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
      expect.stringMatching(
        /^__Host-lectern-operator=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ]);
    expect((await client.get('/admin/keys')).status).toBe(200);
  });

  test('the CSRF cookie of the key request form has the prefix __Host- and Secure if secureCookies is on', async () => {
    const { headers } = await createBrowserClient(secure.origin).get(formPath);
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-lectern-form=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/),
    ]);
    expect((await createBrowserClient(secure.origin).submitForm(formPath, validFields)).status).toBe(303);
  });
});
