import Database from 'better-sqlite3';
import { hiddenFields, visibleText } from '../support/form-client';
import { formPath, useKeyRequestForm, validFields } from '../support/key-request-form';

const { lectern, createClient, savedRequests } = useKeyRequestForm();

test('the key request form names the environment for which it issues keys, and sets security headers and a cookie', async () => {
  const { status, headers, text } = await createClient().get(formPath);
  expect([status, headers['content-type'], headers['x-frame-options']]).toEqual([
    200,
    'text/html; charset=utf-8',
    'DENY',
  ]);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(/^lectern-form=[\w-]{43}; Path=\/api-keys; HttpOnly; SameSite=Strict$/),
  ]);
  expect(visibleText(text)).toContain('This is the test environment: its keys begin with svc_test_');
  expect(text).not.toContain('<script');
});

test('the key request form saves several scripts, removes outer spaces and turns line ends into line feeds', async () => {
  const fields = {
    name: ' Ἀδά 阿达 🙂 ',
    email: 'Ada.1@exämple.org',
    description: 'Première ligne\r\n\r\n\tΔεύτερη ‏שורה 100% %4 & <b>\r\n',
  };
  const { status, headers, text } = await createClient().submitForm(formPath, fields);
  expect([status, headers.location, text]).toEqual([303, '/api-keys/request/sent', '']);
  expect(await savedRequests('Ada.1@exämple.org')).toMatchObject([
    {
      name: 'Ἀδά 阿达 🙂',
      description: 'Première ligne\n\n Δεύτερη ‏שורה 100% %4 & <b>',
      environment: 'test',
      state: 'pending',
    },
  ]);
});

test('the confirmation page of a key request can also be opened by a browser that has sent no form', async () => {
  const { status, text } = await createClient().get('/api-keys/request/sent');
  expect([status, visibleText(text)]).toEqual([200, expect.stringContaining('Your request was sent.')]);
});

test('the key request form reads malformed percent-encoding as plain text, and responds 422 to bytes that are not UTF-8', async () => {
  const client = createClient();
  const { token = '' } = hiddenFields((await client.get(formPath)).text);
  expect(
    (await client.post(formPath, `token=${token}&name=50%+off%2&email=percent@example.org&description=%zz+%E0`)).status,
  ).toBe(422);
  expect(
    (await client.post(formPath, `token=${token}&name=50%+off%2&email=percent@example.org&description=%zz`)).status,
  ).toBe(303);
  expect(await savedRequests('percent@example.org')).toMatchObject([{ name: '50% off%2', description: '%zz' }]);
});

test('the key request form answers a new address, one with a pending request and one with a key alike', async () => {
  const submit = async (email: string) => {
    const {
      status,
      headers: { date: _date, ...headers },
      text,
    } = await createClient().submitForm(formPath, { ...validFields, email });
    return { status, headers, text };
  };
  const newAddress = await submit('same@example.org');
  expect(newAddress.status).toBe(303);
  expect(await submit('SAME@example.org')).toEqual(newAddress);
  expect(await submit('tester@example.org')).toEqual(newAddress);
  expect([
    (await savedRequests('same@example.org')).length,
    (await savedRequests('tester@example.org')).length,
  ]).toEqual([1, 0]);
});

test.each([
  ['no name', { name: ' ' }, 'Enter your name.'],
  ['no email address', { email: '' }, 'Enter your email address.'],
  ['no description', { description: '\r\n\r\n' }, 'Enter what the key is for.'],
  ['a name of two lines', { name: 'Ada\r\nBcc: all@example.org' }, 'Enter your name on one line, once.'],
  [
    'an email address followed by a mail header',
    { email: 'ada@example.org\r\nBcc: all@example.org' },
    'Enter your email address on one line, once.',
  ],
  [
    'an email address that ends with a line feed',
    { email: 'ada@example.org\n' },
    'Enter your email address on one line, once.',
  ],
  [
    'an email address without an at sign',
    { email: 'ada at example.org' },
    'Enter an email address, such as name@example.org.',
  ],
  [
    'an email address that mail programs would read as two',
    { email: 'ada,all@example.org' },
    "'ada,all@example.org' is not an email address.",
  ],
  [
    'a NUL in the description',
    { description: 'a\0b' },
    'Remove the characters that cannot be shown from what the key is for.',
  ],
  [
    'a control character in the name',
    { name: 'A\u001B[31m' },
    'Remove the characters that cannot be shown from your name.',
  ],
  [
    'a name of 201 characters',
    { name: 'x'.repeat(201) },
    'Shorten your name: it has 201 characters, and may have 200.',
  ],
  [
    'a description of 1,001 characters',
    { description: 'y'.repeat(1_001) },
    'Shorten what the key is for: it has 1001 characters, and may have 1000.',
  ],
])(
  'the key request form with %s shows an error at the invalid field and keeps the values of the other fields',
  async (_, invalid, message) => {
    const fields = { ...validFields, email: 'invalid@example.org', ...invalid };
    const { status, text } = await createClient().submitForm(formPath, fields);
    const [field = ''] = Object.keys(invalid);
    expect(status).toBe(422);
    expect(visibleText(text)).toContain(message);
    expect(text).toMatch(new RegExp(`name="${field}"[^>]* aria-invalid="true" aria-describedby="[^"]*${field}-error"`));
    expect(text.match(/aria-invalid/g)).toHaveLength(1);
    for (const [, value] of Object.entries(fields).filter(([name]) => name !== field))
      expect(visibleText(text.replaceAll(/value="([^"]*)"/g, '>$1<'))).toContain(value);
    expect(await savedRequests(fields.email.trim())).toEqual([]);
  },
);

test('while the SQLite file of keys is locked, requests are served, and a key request is saved once the lock ends', async () => {
  const browser = createClient();
  const form = hiddenFields((await browser.get(formPath)).text);
  const otherProcess = new Database(lectern.keysFile);
  otherProcess.exec('BEGIN IMMEDIATE');
  let isAnswered = false;
  const submission = browser
    .post(formPath, { ...form, ...validFields, email: 'waiting@example.org' })
    .finally(() => (isAnswered = true));
  try {
    for (let requests = 0; requests < 10; requests += 1)
      expect(await lectern.client('{ __typename }')).toEqual({ data: { __typename: 'Query' } });
    expect(isAnswered).toBe(false);
  } finally {
    otherProcess.exec('ROLLBACK');
    otherProcess.close();
  }
  expect((await submission).status).toBe(303);
  expect(await savedRequests('waiting@example.org')).toHaveLength(1);
});

test('the key request form shows the errors of all its invalid fields at once', async () => {
  const client = createClient();
  const { token = '' } = hiddenFields((await client.get(formPath)).text);
  const { status, text } = await client.post(formPath, { token });
  expect([status, text.match(/aria-invalid="true"/g)?.length]).toEqual([422, 3]);
  for (const message of ['Enter your name.', 'Enter your email address.', 'Enter what the key is for.'])
    expect(visibleText(text)).toContain(message);
});

test('the key request form responds 422 if a field is sent twice, and shows both values', async () => {
  const client = createClient();
  const { token = '' } = hiddenFields((await client.get(formPath)).text);
  const { status, text } = await client.post(
    formPath,
    `token=${token}&name=Ada&email=a@example.org&email=b@example.org&description=x`,
  );
  expect([status, visibleText(text)]).toEqual([
    422,
    expect.stringContaining('Enter your email address on one line, once.'),
  ]);
  expect(text).toContain('a@example.org\nb@example.org');
});

test('the key request form escapes HTML markup in the values of its fields', async () => {
  const markup = "\"><script>alert(1)</script><img src=x onerror='alert(2)'>&lt;";
  const { status, text } = await createClient().submitForm(formPath, {
    name: markup,
    email: markup,
    description: `</textarea>${markup}`,
  });
  expect(status).toBe(422);
  expect(text).not.toMatch(/<script|<img/);
  expect(text.match(/<\/textarea>/g)).toHaveLength(1);
});
