import { send } from '@lectern/testing';
import { createBrowserClient, hiddenFields, visibleText } from './support/browser-client';
import type { EmbeddedLectern } from './support/embedded-lectern';
import { startEmbeddedLectern } from './support/embedded-lectern';
import type { TestBrowser } from './support/headless-browser';
import { accessibilityViolations, findBrowser, horizontalOverflow, startBrowser } from './support/headless-browser';

const path = '/api-keys/request';
const filled = { name: 'Ada Lovelace', email: 'ada@example.org', description: 'A reading plan for my family.' };
let time = Date.parse('2026-03-01T10:00:00Z');
let lectern: EmbeddedLectern;
beforeAll(async () => {
  lectern = await startEmbeddedLectern({
    trustedProxies: 'loopback',
    now: () => time,
    rates: { perMinute: 0, perDay: 0, keyRequestsPerHour: 5 },
  });
});
afterAll(() => lectern.close());

let visitors = 0;
/** Each from an address of its own, for forms are counted by address. */
const visitor = () => {
  visitors += 1;
  return createBrowserClient(lectern.origin, `198.51.100.${visitors}`);
};
const kept = async (email: string) =>
  (await lectern.keys.requests()).filter((request) => request.email.toLowerCase() === email.toLowerCase());
const form = 'application/x-www-form-urlencoded';

test('the form says which environment it is for, and nothing on the page comes from elsewhere', async () => {
  const { status, headers, text } = await visitor().get(path);
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

test('what was asked for is kept as it was typed, in any script, and the browser is sent on', async () => {
  const asked = {
    name: ' Ἀδά 阿达 🙂 ',
    email: 'Ada.1@exämple.org',
    description: 'Première ligne\r\n\r\n\tΔεύτερη ‏שורה 100% %4 & <b>\r\n',
  };
  const { status, headers, text } = await visitor().submitForm(path, asked);
  expect([status, headers.location, text]).toEqual([303, '/api-keys/request/sent', '']);
  expect(await kept('Ada.1@exämple.org')).toMatchObject([
    {
      name: 'Ἀδά 阿达 🙂',
      description: 'Première ligne\n\n Δεύτερη ‏שורה 100% %4 & <b>',
      environment: 'test',
      state: 'pending',
    },
  ]);
});

test('the page after that thanks, and can be loaded again', async () => {
  const { status, text } = await visitor().get('/api-keys/request/sent');
  expect([status, visibleText(text)]).toEqual([200, expect.stringContaining('Your request was sent.')]);
});

test('half-written percent signs are read as they stand', async () => {
  const one = visitor();
  const { token = '' } = hiddenFields((await one.get(path)).text);
  expect(
    (await one.post(path, `token=${token}&name=50%+off%2&email=percent@example.org&description=%zz+%E0`)).status,
  ).toBe(422);
  expect((await one.post(path, `token=${token}&name=50%+off%2&email=percent@example.org&description=%zz`)).status).toBe(
    303,
  );
  expect(await kept('percent@example.org')).toMatchObject([{ name: '50% off%2', description: '%zz' }]);
});

test('the answer is the same for a new address, one that asked before and one that has a key', async () => {
  const answer = async (email: string) => {
    const {
      status,
      headers: { date: _date, ...headers },
      text,
    } = await visitor().submitForm(path, { ...filled, email });
    return { status, headers, text };
  };
  const fresh = await answer('same@example.org');
  expect(fresh.status).toBe(303);
  expect(await answer('SAME@example.org')).toEqual(fresh);
  expect(await answer('tester@example.org')).toEqual(fresh);
  expect([(await kept('same@example.org')).length, (await kept('tester@example.org')).length]).toEqual([1, 0]);
});

test('two requests of one address at once are one', async () => {
  const [one, other] = [visitor(), visitor()];
  const answers = await Promise.all(
    [one, other].map((each) => each.submitForm(path, { ...filled, email: 'twice@example.org' })),
  );
  expect(answers.map(({ status, headers }) => [status, headers.location])).toEqual([
    [303, '/api-keys/request/sent'],
    [303, '/api-keys/request/sent'],
  ]);
  expect(await kept('twice@example.org')).toHaveLength(1);
});

test.each([
  ['no name', { name: ' ' }, 'Enter your name.'],
  ['no address', { email: '' }, 'Enter your email address.'],
  ['no description', { description: '\r\n\r\n' }, 'Enter what the key is for.'],
  ['a name of two lines', { name: 'Ada\r\nBcc: all@example.org' }, 'Enter your name on one line, once.'],
  [
    'an address with a header after it',
    { email: 'ada@example.org\r\nBcc: all@example.org' },
    'Enter your email address on one line, once.',
  ],
  ['an address with a line feed alone', { email: 'ada@example.org\n' }, 'Enter your email address on one line, once.'],
  ['an address that is none', { email: 'ada at example.org' }, 'Enter an email address, such as name@example.org.'],
  [
    'an address that mail programs would read as two',
    { email: 'ada,all@example.org' },
    "'ada,all@example.org' is not an email address.",
  ],
  ['a NUL', { description: 'a\0b' }, 'Remove the characters that cannot be shown from what the key is for.'],
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
])('%s is said beside its field, and the rest of the form stays filled in', async (_, wrong, message) => {
  const asked = { ...filled, email: 'wrong@example.org', ...wrong };
  const { status, text } = await visitor().submitForm(path, asked);
  const [field = ''] = Object.keys(wrong);
  expect(status).toBe(422);
  expect(visibleText(text)).toContain(message);
  expect(text).toMatch(new RegExp(`name="${field}"[^>]* aria-invalid="true" aria-describedby="[^"]*${field}-error"`));
  expect(text.match(/aria-invalid/g)).toHaveLength(1);
  for (const [, value] of Object.entries(asked).filter(([name]) => name !== field))
    expect(visibleText(text.replaceAll(/value="([^"]*)"/g, '>$1<'))).toContain(value);
  expect(await kept(asked.email.trim())).toEqual([]);
});

test('all that is wrong is said at once, also when nothing was sent', async () => {
  const one = visitor();
  const { token = '' } = hiddenFields((await one.get(path)).text);
  const { status, text } = await one.post(path, { token });
  expect([status, text.match(/aria-invalid="true"/g)?.length]).toEqual([422, 3]);
});

test('a field that is sent twice is sent back with both values', async () => {
  const one = visitor();
  const { token = '' } = hiddenFields((await one.get(path)).text);
  const { status, text } = await one.post(
    path,
    `token=${token}&name=Ada&email=a@example.org&email=b@example.org&description=x`,
  );
  expect([status, visibleText(text)]).toEqual([
    422,
    expect.stringContaining('Enter your email address on one line, once.'),
  ]);
  expect(text).toContain('a@example.org\nb@example.org');
});

test('markup in every field comes back as text', async () => {
  const markup = "\"><script>alert(1)</script><img src=x onerror='alert(2)'>&lt;";
  const { status, text } = await visitor().submitForm(path, {
    name: markup,
    email: markup,
    description: `</textarea>${markup}`,
  });
  expect(status).toBe(422);
  expect(text).not.toMatch(/<script|<img/);
  expect(text.match(/<\/textarea>/g)).toHaveLength(1);
});

describe('a form that this server did not make for this browser is not taken', () => {
  /** The status of an answer, and how many requests are kept after it. */
  const outcomeOf = async (answer: Promise<{ status: number }>): Promise<number[]> => [
    (await answer).status,
    (await kept('forged@example.org')).length,
  ];
  const asked = { ...filled, email: 'forged@example.org' };

  test.each([
    ['no token', {}],
    ["a token of somebody's own", { token: '9999999999999.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['half a token', { token: '9999999999999' }],
  ])('%s: 403, with the form filled in to be sent again', async (_, fields) => {
    const one = visitor();
    await one.get(path);
    const { status, text } = await one.post(path, { ...asked, ...fields });
    expect([status, visibleText(text), await kept(asked.email)]).toEqual([
      403,
      expect.stringContaining('Nothing was sent yet'),
      [],
    ]);
    expect((await one.post(path, { ...asked, ...hiddenFields(text), email: 'again@example.org' })).status).toBe(303);
  });

  test('a token of another browser', async () => {
    const [one, other] = [visitor(), visitor()];
    await one.get(path);
    expect(await outcomeOf(one.post(path, { ...asked, ...hiddenFields((await other.get(path)).text) }))).toEqual([
      403, 0,
    ]);
  });

  test('a token without its cookie', async () => {
    const one = visitor();
    const fields = hiddenFields((await one.get(path)).text);
    one.cookies.clear();
    expect(await outcomeOf(one.post(path, { ...asked, ...fields }))).toEqual([403, 0]);
  });

  test('a form of four hours ago, or one whose time was changed', async () => {
    const one = visitor();
    const { token = '' } = hiddenFields((await one.get(path)).text);
    time += 4 * 3_600_000 + 1;
    try {
      expect(await outcomeOf(one.post(path, { ...asked, token }))).toEqual([403, 0]);
      expect(
        await outcomeOf(
          one.post(path, {
            ...asked,
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
  ])('%j', async (headers) => {
    const { status, text } = await visitor().submitForm(path, asked, { headers: ['Content-Type', form, ...headers] });
    expect([status, visibleText(text), await kept(asked.email)]).toEqual([
      403,
      expect.stringContaining('a page of another site'),
      [],
    ]);
  });

  test('the two headers may be absent: not every browser has them', async () => {
    expect(
      (await visitor().submitForm(path, { ...filled, email: 'old@example.org' }, { headers: ['Content-Type', form] }))
        .status,
    ).toBe(303);
  });
});

test('a program that fills in every field is thanked, and nothing is kept', async () => {
  const { status, headers } = await visitor().submitForm(path, {
    ...filled,
    email: 'program@example.org',
    homepage: 'https://spam.example',
  });
  expect([status, headers.location]).toEqual([303, '/api-keys/request/sent']);
  expect(await kept('program@example.org')).toEqual([]);
});

test.each([
  ['JSON', ['Content-Type', 'application/json'], '{}', 415],
  ['a form with files', ['Content-Type', 'multipart/form-data; boundary=x'], '--x--', 415],
  ['no type', [], 'name=x', 415],
  ['another character set', ['Content-Type', `${form}; charset=utf-16`], 'name=x', 415],
  ['a compressed body', ['Content-Type', form, 'Content-Encoding', 'gzip'], 'name=x', 415],
  ['16 kB and a byte', ['Content-Type', form], 'x'.repeat(16_385), 413],
  ['16 kB and a byte, not declared', ['Content-Type', form, 'Transfer-Encoding', 'chunked'], 'x'.repeat(16_385), 413],
])('%s is refused on a page that says why', async (_, headers, body, expected) => {
  const { status, headers: received, text } = await visitor().post(path, body, { headers });
  expect([status, received['content-type']]).toEqual([expected, 'text/html; charset=utf-8']);
  expect(text).toContain('<h1>');
});

test('ten megabytes are refused by their length alone', async () => {
  const declared = send(`${lectern.origin}${path}`, {
    headers: ['Content-Type', form, 'Content-Length', '10000000', 'X-Forwarded-For', '198.51.101.1'],
    body: 'x',
  });
  expect((await declared).status).toBe(413);
});

test('another method is refused with those there are', async () => {
  const { status, headers } = await send(`${lectern.origin}${path}`, { method: 'PUT' });
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD, POST']);
});

test('the sixth form of an hour has to wait, and what was typed stays', async () => {
  const one = visitor();
  for (let sent = 1; sent <= 5; sent += 1)
    expect((await one.submitForm(path, { ...filled, email: `reader-${sent}@example.org` })).status).toBe(303);
  const { status, headers, text } = await one.submitForm(path, { ...filled, email: 'reader-6@example.org' });
  expect([status, headers['retry-after']]).toEqual([429, '3600']);
  expect(visibleText(text)).toContain('Send this one again in 60 minutes.');
  expect(text).toContain('value="reader-6@example.org"');
  expect(await kept('reader-6@example.org')).toEqual([]);
  expect((await visitor().submitForm(path, { ...filled, email: 'neighbour@example.org' })).status).toBe(303);
  time += 3_600_000;
  expect((await one.submitForm(path, { ...filled, email: 'reader-6@example.org' })).status).toBe(303);
});

test('over https the cookie is bound to this host', async () => {
  const secure = await startEmbeddedLectern({ secureCookies: true });
  try {
    const { headers } = await createBrowserClient(secure.origin).get(path);
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-lectern-form=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/),
    ]);
    expect((await createBrowserClient(secure.origin).submitForm(path, filled)).status).toBe(303);
  } finally {
    await secure.close();
  }
});

const program = findBrowser();
(program === null ? describe.skip : describe)('in a browser', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await startBrowser(program ?? '');
  });
  afterAll(() => browser.close());

  test('the form can be filled in and sent by keyboard', async () => {
    const { page, problems, close } = await browser.open(`${lectern.origin}${path}`);
    await page.getByLabel('Your name').focus();
    await page.keyboard.type('Grace Hopper');
    await page.keyboard.press('Tab');
    await page.keyboard.type('grace@example.org');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Line one');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Line two');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/api-keys/request/sent');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Thank you');
    expect(await kept('grace@example.org')).toMatchObject([
      { name: 'Grace Hopper', description: 'Line one\nLine two' },
    ]);
    expect(problems).toEqual([]);
    await close();
  });

  test('mistakes are announced: the summary has the focus, its lines lead to the fields, and each field has its own', async () => {
    const { page, close } = await browser.open(`${lectern.origin}${path}`);
    await page.getByLabel('Email address').fill('grace at example.org');
    await page.getByRole('button', { name: 'Send the request' }).click();
    await page.waitForSelector('[role=alert]');
    expect(await page.title()).toMatch(/^Problem: /);
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('alert');
    expect(await page.getByRole('alert').getByRole('link').allTextContents()).toEqual([
      'Enter your name.',
      'Enter an email address, such as name@example.org.',
      'Enter what the key is for.',
    ]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('email');
    expect(await page.getByLabel('Email address').inputValue()).toBe('grace at example.org');
    expect(
      await page.evaluate(
        `document.activeElement.getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id).textContent.trim()).join(' ')`,
      ),
    ).toContain('Enter an email address, such as name@example.org.');
    expect(await accessibilityViolations(page)).toEqual([]);
    await close();
  });

  test.each(['light', 'dark'] as const)('a telephone with %s colours has nothing out of reach', async (colours) => {
    const { page, close } = await browser.open(`${lectern.origin}${path}`, { width: 360, height: 740, colours });
    expect([await accessibilityViolations(page), await horizontalOverflow(page)]).toEqual([[], 0]);
    await page.getByRole('button', { name: 'Send the request' }).click();
    await page.waitForSelector('[role=alert]');
    expect([await accessibilityViolations(page), await horizontalOverflow(page)]).toEqual([[], 0]);
    await page.goto(`${lectern.origin}/api-keys/request/sent`);
    expect([await accessibilityViolations(page), await horizontalOverflow(page)]).toEqual([[], 0]);
    await close();
  });
});
