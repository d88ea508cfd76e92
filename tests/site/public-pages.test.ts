import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram, readExamples, repositoryRoot, send, useStarted } from '@lectern/testing';
import type { IntrospectionQuery } from 'graphql';
import { buildClientSchema, buildSchema, getIntrospectionQuery, lexicographicSortSchema, printSchema } from 'graphql';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { decodeEntities } from '../support/form-client';
import { sendRaw } from '../support/raw-request';
import { repositorySubgraphs } from '../support/supergraph-yaml';

const execFileAsync = promisify(execFile);
const curl = findProgram(['curl'], 'curl');
const python = findProgram(['python3'], 'python3');

const lectern = useStarted(() =>
  startEmbeddedLectern({
    limits: { tokens: 4_321, depth: 15, complexity: 301 },
    rates: { perMinute: 98_765, keyPerMinute: 76_543, perDay: 87_654, keyRequestsPerHour: 0 },
  }),
);

const pages = ['/', '/explorer', '/reference', '/reference/Verse', '/changes', '/up'];
const get = (path: string, headers: string[] = [], method = 'GET') => send(lectern.origin + path, { method, headers });
const title = (text: string) => /<title>(.*?) - Lectern<\/title>/.exec(text)?.[1];

describe('every public page', () => {
  test.each([
    ...pages,
    '/schema.graphql',
    '/changes.atom',
    '/texts.atom',
    '/assets/site.css',
    '/robots.txt',
    '/llms.txt',
    '/favicon.ico',
  ])('the path %s responds 200 to GET and HEAD, and 405 to other methods', async (path) => {
    const response = await get(path);
    const headResponse = await get(path, [], 'HEAD');
    expect([response.status, headResponse.status, headResponse.text, headResponse.headers['content-length']]).toEqual([
      200,
      200,
      '',
      response.headers['content-length'],
    ]);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const rejected = await get(path, [], method);
      expect([method, rejected.status, rejected.headers.allow, title(rejected.text)]).toEqual([
        method,
        405,
        'GET, HEAD',
        'Method not allowed',
      ]);
    }
  });

  test.each(pages)(
    'the security headers of the page %s allow only files of this site, and inline styles only on /explorer',
    async (path) => {
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
    },
  );

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
  ])('GET of the path %s, which names no file, gets an HTML page with status 404', async (path) => {
    // `send` would resolve `..` in the path.
    const response = await sendRaw(lectern.origin, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect([/^HTTP\/1\.1 (\d+)/.exec(response)?.[1], title(response)]).toEqual(['404', 'Not found']);
  });
});

describe('the landing page', () => {
  test('the landing page shows the endpoint with the requested host, the environment and the configured limits', async () => {
    const { text } = await get('/');
    for (const expected of [
      `${lectern.origin}/graphql`,
      '<strong>test</strong> environment',
      'svc_test_',
      'may be at most 15 levels',
      'may cost at most 301',
      'have at most 4,321 tokens',
      'A client address may make 98,765 requests a minute',
      'A key may make 76,543 requests a minute',
      '87,654 requests a day',
    ])
      expect(text).toContain(expected);
    expect((await get('/', ['X-Forwarded-Proto', 'https'])).text).toContain(
      `https://${new URL(lectern.origin).host}/graphql`,
    );
  });

  describe.each([
    ['curl', curl && '/bin/sh', 'passage.sh'],
    ['JavaScript', process.execPath, 'passage.mjs'],
    ['TypeScript', process.execPath, 'passage.mjs'],
    ['Python', python, 'passage.py'],
  ])('the first query of the landing page in %s', (language, program, file) => {
    const printed = language === 'TypeScript' ? 'the passage text of the response' : 'the response';
    const title = `the query in ${language}, run as shown, prints ${printed} that the landing page shows`;
    const testInstalled = program === null ? test.skip : test;
    testInstalled(title, async () => {
      const { text: page } = await get('/');
      const [, code = ''] =
        new RegExp(`<pre [^>]*aria-label="The query in ${language}[^>]*><code>([^<]*)</code>`).exec(page) ?? [];
      const [, response = ''] = /Response: <code>([^<]*)</.exec(page) ?? [];
      const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
      symlinkSync(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'));
      writeFileSync(join(folder, file), decodeEntities(code));
      const env = { PATH: process.env['PATH'], LECTERN_KEY: lectern.token };
      const { stdout } = await execFileAsync(program ?? '', [join(folder, file)], { env });
      rmSync(folder, { recursive: true });
      const expected = JSON.parse(decodeEntities(response)) as { data: { passage: { text: string } } };
      expect(stdout.trim()).toBe(language === 'TypeScript' ? expected.data.passage.text : JSON.stringify(expected));
    });
  });

  test('each path to which the landing page links responds 200', async () => {
    const { text: page } = await get('/');
    const paths = [...new Set([...page.matchAll(/ href="(\/[^"]*)"/g)].map(([, path = '']) => path))];
    expect(paths).toEqual(
      expect.arrayContaining(['/api-keys/request', '/explorer', '/reference', '/schema.graphql', '/changes', '/up']),
    );
    for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 200]);
  });

  test('the commands that the landing page names are scripts of package.json, and the files that the page names exist', async () => {
    const { text: page } = await get('/');
    const codes = [...page.matchAll(/<code>([^<\n]*)<\/code>/g)].map(([, code = '']) => code);
    const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as { scripts: object };
    const commands = codes.flatMap((code) => /^npm run (\S+)/.exec(code)?.[1] ?? []);
    expect(new Set(commands)).toEqual(new Set(['example:reader', 'mcp']));
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
    const files = codes.filter((code) => /^(docs|packages|examples)\//.test(code));
    expect(files).toEqual(['packages/client', 'docs/mcp.md', 'examples/reader']);
    expect(files.filter((file) => !existsSync(join(repositoryRoot, file)))).toEqual([]);
  });

  test('the landing page does not show the value of a malformed Host header', async () => {
    const received = await send(lectern.origin, { method: 'GET', headers: ['Host', '"><script>alert(1)</script>'] });
    expect(received.text).not.toContain('alert(1)');
  });
});

describe('the files that programs look for', () => {
  test('each of the ten queries of /llms.txt returns data without errors', async () => {
    const { text, headers } = await get('/llms.txt');
    expect([headers['content-type'], text]).toEqual([
      'text/plain; charset=utf-8',
      expect.not.stringMatching(/\{\{|undefined/),
    ]);
    const queries = /```graphql\n([^]*?)\n```/.exec(text)?.[1]?.split('\n') ?? [];
    expect(queries).toHaveLength(10);
    for (const query of queries) {
      const { data, errors } = await lectern.client(query);
      // Without the embedding model of these tests, a search by meaning finds nothing.
      expect([query, errors, Object.values(data ?? {})]).toEqual([query, undefined, [expect.anything()]]);
    }
  });

  test('/llms.txt states the endpoint, the beginning of keys and the configured limits', async () => {
    const { text } = await get('/llms.txt');
    for (const expected of [
      `POST ${lectern.origin}/graphql`,
      'svc_test_',
      '15 levels, a cost of 301 and 4321 tokens',
      '98,765',
    ])
      expect(text).toContain(expected);
  });

  test('/robots.txt keeps crawlers away from the API, and /favicon.ico is an icon', async () => {
    expect((await get('/robots.txt')).text).toContain('Disallow: /graphql\n');
    const icon = await get('/favicon.ico');
    expect([icon.status, icon.headers['content-type']]).toEqual([200, 'image/x-icon']);
  });

  test('/.well-known/security.txt has the contact of the operator and a date in the future, and is 404 without a contact', async () => {
    expect((await get('/.well-known/security.txt')).status).toBe(404);
    const other = await startEmbeddedLectern({ securityContact: 'mailto:security@example.org' });
    try {
      const { text } = await send(`${other.origin}/.well-known/security.txt`, { method: 'GET' });
      const [, expires = ''] = /^Contact: mailto:security@example\.org\nExpires: (\S+)\n$/.exec(text) ?? [];
      expect(Date.parse(expires)).toBeGreaterThan(Date.now());
    } finally {
      await other.close();
    }
  });

  test.each(['/schema.graphql', '/changes.atom', '/texts.atom'])(
    'pages of all origins may read the file %s',
    async (path) => {
      expect((await get(path)).headers['access-control-allow-origin']).toBe('*');
    },
  );
});

describe('the schema reference', () => {
  const introspect = async () =>
    (await lectern.client(getIntrospectionQuery({ inputValueDeprecation: true })))
      .data as unknown as IntrospectionQuery;

  test('the pages of the schema reference have one HTML id for each type, field, argument and enum value, and no broken links', async () => {
    const { text: index } = await get('/reference');
    const linked = [...index.matchAll(/href="(\/reference\/[^"#]+)/g)].map(([, path = '']) => path);
    const paths = [...new Set(linked)];
    const texts = await Promise.all(paths.map(async (path) => (await get(path)).text));
    const {
      __schema: { types, directives },
    } = await introspect();
    const elements = [
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
    const ids = texts.flatMap((text) => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    expect(elements.filter((name) => !ids.includes(name))).toEqual([]);
    expect(elements.length).toBeGreaterThan(150);
    const own = ids.filter((id) => id !== 'main');
    expect(own.filter((id, position) => own.indexOf(id) !== position)).toEqual([]);
    const links = [index, ...texts].flatMap((text) =>
      [...text.matchAll(/href="(?:(\/reference\/[^"#]+)|#)#?([^"]*)"/g)].map(([, path, id]) => ({ path, id })),
    );
    expect(links.filter(({ path, id }) => (path && !paths.includes(path)) || (id && !ids.includes(id)))).toEqual([]);
  });

  test('the schema reference page shows how the cost of a field depends on its argument first', async () => {
    const { text } = await get('/reference/Query');
    expect(text.replace(/<[^>]*>/g, '')).toContain(
      'Costs first (1 to 100) × the cost of its selection ÷ 5, rounded down; at least 1.',
    );
  });

  test('the file /schema.graphql equals the schema that introspection returns', async () => {
    const sdl = await get('/schema.graphql');
    const printed = (schema: Parameters<typeof printSchema>[0]) => printSchema(lexicographicSortSchema(schema));
    expect(printed(buildSchema(sdl.text))).toBe(printed(buildClientSchema(await introspect())));
    expect(sdl.headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' });
    expect((await get('/schema.graphql', ['If-None-Match', String(sdl.headers.etag)])).status).toBe(304);
  });

  test('the schema reference page responds 304 to a matching ETag, and is compressed for a client that accepts compression', async () => {
    const uncompressed = await get('/reference');
    for (const ifNoneMatch of [uncompressed.headers.etag, `"x", ${uncompressed.headers.etag}`, '*'])
      expect((await get('/reference', ['If-None-Match', String(ifNoneMatch)])).status).toBe(304);
    const sizes = await Promise.all(
      ['br, gzip', 'gzip', 'br;q=0, gzip', 'identity'].map(async (accept) => {
        const { headers } = await get('/reference', ['Accept-Encoding', accept]);
        return [
          headers['content-encoding'],
          headers.vary,
          Number(headers['content-length']) < uncompressed.text.length / 3,
        ];
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

test('the page /up shows that the service is up, with its environment, version and schema digest', async () => {
  const { text } = await get('/up');
  expect(text).toMatch(/Lectern is up[^]*<dd>test<\/dd>[^]*<dd>\d+\.\d+\.\d+<\/dd>[^]*<code>[0-9a-f]{12}<\/code>/);
});

test('the Cache-Control header allows a year for files of the explorer and five minutes for files of the site', async () => {
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

/**
 * The explorer does not show these examples: the first costs more than the gateway allows, and the second needs an
 * imported translation.
 */
const leftOut = new Set(['ChaptersWithText', 'Glossary']);
const examples = repositorySubgraphs.flatMap(({ folder }) =>
  readExamples(join(repositoryRoot, folder, 'examples.graphql')),
);

test.each(examples.filter(({ name }) => !leftOut.has(name)))(
  "the gateway executes the explorer's example $name without errors",
  async ({ query }) => {
    const { data, errors } = await lectern.client(query);
    expect({ data, errors }).toEqual({ data: expect.any(Object), errors: undefined });
  },
);
