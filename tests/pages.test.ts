import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readExamples, repositoryRoot, send } from '@lectern/testing';
import type { IntrospectionQuery } from 'graphql';
import { buildClientSchema, buildSchema, getIntrospectionQuery, lexicographicSortSchema, printSchema } from 'graphql';
import type { EmbeddedLectern } from './support/embedded-lectern';
import { startEmbeddedLectern } from './support/embedded-lectern';
import type { OpenOptions, OpenPage, TestBrowser } from './support/headless-browser';
import {
  accessibilityViolations,
  findBrowser,
  horizontalOverflow,
  startBrowser,
  tabStops,
} from './support/headless-browser';

let lectern: EmbeddedLectern;
beforeAll(async () => {
  lectern = await startEmbeddedLectern({
    limits: { tokens: 4_321, depth: 15, complexity: 301 },
    rates: { perMinute: 98_765, perDay: 87_654, keyRequestsPerHour: 0 },
  });
});
afterAll(() => lectern.close());

const pages = ['/', '/explorer', '/reference', '/up'];
const get = (path: string, headers: string[] = [], method = 'GET') => send(lectern.origin + path, { method, headers });
/** With the path as it is written: a URL would lose its dots. */
const getUnchanged = (path: string) =>
  new Promise<[number | undefined, string]>((resolve, reject) => {
    const { hostname, port } = new URL(lectern.origin);
    request({ hostname, port, path, agent: false }, (response) => {
      text(response).then((body) => resolve([response.statusCode, body]), reject);
    })
      .on('error', reject)
      .end();
  });

const title = (text: string) => /<title>(.*?) - Lectern<\/title>/.exec(text)?.[1];

describe('every page', () => {
  test.each([...pages, '/reference.graphql', '/assets/site.css'])('%s can be read, and only that', async (path) => {
    const read = await get(path);
    const headed = await get(path, [], 'HEAD');
    expect([read.status, headed.status, headed.text, headed.headers['content-length']]).toEqual([
      200,
      200,
      '',
      read.headers['content-length'],
    ]);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const refused = await get(path, [], method);
      expect([method, refused.status, refused.headers.allow, title(refused.text)]).toEqual([
        method,
        405,
        'GET, HEAD',
        'Method not allowed',
      ]);
    }
  });

  test.each(pages)('%s lets a browser run nothing but what the site itself serves', async (path) => {
    const { headers } = await get(path);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe-eval|https?:|blob:|\*/);
    expect(policy.includes("'unsafe-inline'")).toBe(path === '/explorer');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-type': 'text/html; charset=utf-8',
    });
  });

  test.each([
    '/explorer/nothing.js',
    '/explorer/',
    '/assets/',
    '/assets/nothing',
    '/assets/../package.json',
    '/assets/%2e%2e/package.json',
    '/assets/..%2fpackage.json',
    '/assets//etc/passwd',
    '/explorer/../assets/site.css',
  ])('%s is a page that says it is not there', async (path) => {
    const [status, text] = await getUnchanged(path);
    expect([status, title(text)]).toEqual([404, 'Not found']);
  });
});

describe('the first page', () => {
  test('names the endpoint as the reader reached it, the environment and the limits that are set', async () => {
    const { text } = await get('/');
    for (const words of [
      `${lectern.origin}/graphql`,
      '<strong>test</strong> environment',
      'svc_test_',
      'may be at most 15 levels',
      'may cost at most 301',
      'have at most 4,321 tokens',
      '98,765 requests a minute',
      '87,654 requests a day',
    ])
      expect(text).toContain(words);
    expect((await get('/', ['X-Forwarded-Proto', 'https'])).text).toContain(
      `https://${new URL(lectern.origin).host}/graphql`,
    );
  });

  test('shows a request that is answered as the page says', async () => {
    const { text } = await get('/');
    const plain = text
      .replace(/<[^>]*>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'");
    const [, body = ''] = /-d '(.*)'\n/.exec(plain.replace(/'\n*\{"data"/, '\'\n\n{"data"')) ?? [];
    const answered = await send(lectern.url, {
      headers: ['Authorization', `Bearer ${lectern.token}`, 'Content-Type', 'application/json'],
      body,
    });
    expect(plain).toContain(answered.text);
    expect(answered.status).toBe(200);
  });

  test('takes no host for its own that could not be one', async () => {
    const received = await send(lectern.origin, { method: 'GET', headers: ['Host', '"><script>alert(1)</script>'] });
    expect(received.text).not.toContain('alert(1)');
  });
});

describe('the reference', () => {
  const introspect = async () =>
    (await lectern.client(getIntrospectionQuery({ inputValueDeprecation: true })))
      .data as unknown as IntrospectionQuery;

  test('has a place to link to for everything that introspection knows, each once', async () => {
    const { text } = await get('/reference');
    const {
      __schema: { types, directives },
    } = await introspect();
    const known = [
      ...types
        .filter(({ name }) => !name.startsWith('__'))
        .flatMap((type) => [
          type.name,
          ...(type.kind === 'OBJECT' || type.kind === 'INTERFACE' ? type.fields : []).flatMap((field) => [
            `${type.name}.${field.name}`,
            ...field.args.map((argument) => `${type.name}.${field.name}.${argument.name}`),
          ]),
          ...(type.kind === 'INPUT_OBJECT' ? type.inputFields : []).map((field) => `${type.name}.${field.name}`),
          ...(type.kind === 'ENUM' ? type.enumValues : []).map((value) => `${type.name}.${value.name}`),
        ]),
      ...directives.map(({ name }) => `@${name}`),
    ];
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(known.filter((name) => !ids.includes(name))).toEqual([]);
    expect(known.length).toBeGreaterThan(150);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect([...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id).filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('shows the prices that the subgraphs declare', async () => {
    const { text } = await get('/reference');
    expect(text.replace(/<[^>]*>/g, '')).toContain(
      'Costs first (1 to 100) × the cost of its selection ÷ 5, rounded down; at least 1.',
    );
  });

  test('is there as SDL too, the same schema', async () => {
    const sdl = await get('/reference.graphql');
    const printed = (schema: Parameters<typeof printSchema>[0]) => printSchema(lexicographicSortSchema(schema));
    expect(printed(buildSchema(sdl.text))).toBe(printed(buildClientSchema(await introspect())));
    expect(sdl.headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  test('is not sent again to who has it, and compressed to who takes that', async () => {
    const plain = await get('/reference');
    for (const held of [plain.headers.etag, '"x", ' + plain.headers.etag, '*'])
      expect((await get('/reference', ['If-None-Match', String(held)])).status).toBe(304);
    const sizes = await Promise.all(
      ['br, gzip', 'gzip', 'br;q=0, gzip', 'identity'].map(async (accept) => {
        const { headers } = await get('/reference', ['Accept-Encoding', accept]);
        return [headers['content-encoding'], headers.vary, Number(headers['content-length']) < plain.text.length / 3];
      }),
    );
    expect(sizes).toEqual([
      ['br', 'Accept-Encoding', true],
      ['gzip', 'Accept-Encoding', true],
      ['gzip', 'Accept-Encoding', true],
      [undefined, 'Accept-Encoding', false],
    ]);
  });
});

test('/up says to people that the service runs, which version and which schema', async () => {
  const { text } = await get('/up');
  expect(text).toMatch(/Lectern is up[^]*<dd>test<\/dd>[^]*<dd>\d+\.\d+\.\d+<\/dd>[^]*<code>[0-9a-f]{12}<\/code>/);
});

test('files that the explorer is made of are kept by a browser for good, and those of the site for minutes', async () => {
  const [, script = ''] = /src="(\/explorer\/[^"]+\.js)"/.exec((await get('/explorer')).text) ?? [];
  const received = await get(script, ['Accept-Encoding', 'br']);
  expect([
    received.status,
    received.headers['cache-control'],
    received.headers['content-encoding'],
    received.headers['content-type'],
  ]).toEqual([200, 'public, max-age=31536000, immutable', 'br', 'text/javascript; charset=utf-8']);
  expect((await get('/assets/site.css')).headers).toMatchObject({
    'cache-control': 'public, max-age=300',
    'content-type': 'text/css; charset=utf-8',
  });
});

/** What the explorer leaves out, because it costs more than a query may. */
const tooDear = 'ChaptersWithText';
const examples = ['text', 'search', 'concordance'].flatMap((service) =>
  readExamples(join(repositoryRoot, 'services', service, 'examples.graphql')),
);

test.each(examples.filter(({ name }) => name !== tooDear))('the gateway runs the example $name', async ({ query }) => {
  expect(await lectern.client(query)).toHaveProperty('data');
});

const program = findBrowser();

(program ? describe : describe.skip)('in a browser', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await startBrowser(program ?? '');
  });
  afterAll(() => browser.close());

  const opened = async (path: string, opening: OpenOptions, use: (open: OpenPage) => Promise<void>): Promise<void> => {
    const open = await browser.open(lectern.origin + path, opening);
    try {
      if (path === '/explorer') await open.page.locator('.graphiql-query-editor .view-lines').first().waitFor();
      await use(open);
    } finally {
      await open.close();
    }
  };

  const views = pages.flatMap(
    (path) =>
      [
        [path, 1280, 'light'],
        [path, 360, 'dark'],
      ] as const,
  );

  test.each(views)(
    '%s at %i pixels, %s: the browser has nothing to complain of, axe finds no fault, nothing sticks out',
    async (path, width, colours) => {
      await opened(path, { width, colours }, async ({ page, problems }) => {
        expect(await accessibilityViolations(page)).toEqual([]);
        expect(await horizontalOverflow(page)).toBeLessThanOrEqual(0);
        expect(problems).toEqual([]);
      });
    },
  );

  test('Tab reaches every link of the first page, the one past the navigation first', async () => {
    await opened('/', {}, async ({ page }) => {
      const stops = await tabStops(page);
      expect(stops.slice(0, 6)).toEqual([
        'a Skip to the content',
        'a Lectern',
        'a Explorer',
        'a Reference',
        'a Request a key',
        'a Open the explorer',
      ]);
      expect(stops.at(-1)).toBe('a Is it up?');
    });
  });

  describe('the explorer', () => {
    const enterKey = async ({ page }: OpenPage, token: string): Promise<void> => {
      await page.getByLabel('API key').fill(token);
      await page.keyboard.press('Enter');
    };

    test('without a key says what to do, and sends nothing', async () => {
      await opened('/explorer', {}, async ({ page, problems }) => {
        const sent: string[] = [];
        page.on('request', (request) => sent.push(request.url()));
        expect(await page.getByRole('status').textContent()).toContain('Enter a key to load the schema');
        await page.getByRole('button', { name: /^Execute query/ }).click();
        await page.locator('.result-window').getByText('Enter an API key above first').waitFor();
        expect(sent.filter((url) => url.endsWith('/graphql'))).toEqual([]);
        expect(problems).toEqual([]);
      });
    });

    test.each(['light', 'dark'] as const)(
      'with a key loads the schema, opens an example and runs it, all by keyboard (%s)',
      async (colours) => {
        await opened('/explorer', { colours }, async (open) => {
          const { page, problems } = open;
          await enterKey(open, lectern.token);
          await page.getByText('The key is valid.').waitFor();
          await page.getByRole('button', { name: 'Passage', exact: true }).focus();
          await page.keyboard.press('Enter');
          await page.keyboard.press('Tab');
          await page.keyboard.press('Enter');
          await page.locator('.result-window').getByText('I beseech you therefore').waitFor();
          await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
          await page.getByRole('link', { name: 'Query', exact: true }).click();
          await page.getByRole('link', { name: 'verseOfTheDay' }).waitFor();
          expect(await accessibilityViolations(page)).toEqual([]);
          expect(problems).toEqual([]);
        });
      },
    );

    test('underlines a field that the schema does not have, and offers those that it has', async () => {
      await opened('/explorer', {}, async (open) => {
        const { page, problems } = open;
        await enterKey(open, lectern.token);
        await page.getByText('The key is valid.').waitFor();
        await page.locator('.graphiql-query-editor .graphiql-editor').focus();
        await page.keyboard.press('Enter');
        await page.keyboard.press('Control+A');
        await page.keyboard.type('{ nonsense verseO');
        await page.locator('.squiggly-error').first().waitFor();
        await page.locator('.suggest-widget').getByText('verseOfTheDay').first().waitFor();
        expect(problems).toEqual([]);
      });
    });

    test('an example takes the place of an example, never of what was typed', async () => {
      await opened('/explorer', {}, async ({ page }) => {
        const tabs = page.locator('.graphiql-tab-button');
        await page.getByRole('button', { name: 'Chapter', exact: true }).click();
        await tabs.getByText('Chapter').waitFor();
        expect(await tabs.allTextContents()).toEqual(['Chapter']);
        await page.keyboard.press('Enter');
        await page.keyboard.type('# my own\n');
        await page.getByText('# my own').waitFor();
        await page.getByRole('button', { name: 'Languages', exact: true }).click();
        await tabs.getByText('Languages').waitFor();
        expect(await tabs.allTextContents()).toEqual(['Chapter', 'Languages']);
      });
    });

    test('keeps the key nowhere: not in storage, not in a cookie, not in the address, and not past a reload', async () => {
      await opened('/explorer', {}, async (open) => {
        const { page } = open;
        await enterKey(open, lectern.token);
        await page.getByText('The key is valid.').waitFor();
        await page.getByRole('button', { name: /^Execute query/ }).click();
        await page.locator('.result-window').getByText('"data"').waitFor();
        // GraphiQL writes what it keeps half a second later.
        await page.waitForTimeout(800);
        const stored = await page.evaluate<string>(
          'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])',
        );
        expect(stored).toContain('graphiql:tabState');
        expect(stored).not.toContain(lectern.token.slice(12));
        expect(await page.evaluate<number>('indexedDB.databases().then((all) => all.length)')).toBe(0);
        expect(page.url()).toBe(`${lectern.origin}/explorer`);
        await page.reload();
        expect(await page.getByLabel('API key').inputValue()).toBe('');
        expect(await page.getByRole('status').textContent()).toContain('Enter a key');
      });
    });

    test('shows the key only when asked to', async () => {
      await opened('/explorer', {}, async ({ page }) => {
        const field = page.getByLabel('API key');
        expect(await field.getAttribute('type')).toBe('password');
        await page.getByRole('button', { name: 'Show', exact: true }).click();
        expect(await field.getAttribute('type')).toBe('text');
      });
    });

    test('with a wrong key says what the API says', async () => {
      await opened('/explorer', {}, async (open) => {
        await enterKey(open, 'svc_test_wrong');
        await open.page.getByRole('status').getByText('Invalid or missing API key').waitFor();
        await enterKey(open, `svc_live_${'a'.repeat(49)}`);
        await open.page.getByRole('button', { name: /^Execute query/ }).click();
        await open.page.locator('.result-window').getByText('Invalid or missing API key').waitFor();
        // The browser itself reports each 401; there is nothing else.
        expect(open.problems.filter((complaint) => !complaint.includes('401 (Unauthorized)'))).toEqual([]);
      });
    });
  });
});
