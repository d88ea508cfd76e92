import { createLogger } from '@lectern/serving';
import type { HttpResponse } from '@lectern/testing';
import { send } from '@lectern/testing';
import { operatorPassword } from './support/admin-fixture';
import type { EmbeddedLectern } from './support/embedded-lectern';
import { startEmbeddedLectern } from './support/embedded-lectern';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const title = ({ text }: HttpResponse) => /<title>(.*?) - Lectern<\/title>/.exec(text)?.[1];

describe('where nothing is served', () => {
  let lectern: EmbeddedLectern;
  beforeAll(async () => {
    lectern = await startEmbeddedLectern();
  });
  afterAll(() => lectern.close());
  const get = (path: string, headers: readonly string[], method = 'GET') =>
    send(lectern.origin + path, { method, headers });

  test.each(['/nowhere', '/admin', '/graphql/', '/explorers'])(
    'a browser that opens %s gets a page that leads on',
    async (path) => {
      const received = await get(path, ['Accept', browser]);
      expect([received.status, title(received), received.headers['content-type'], received.headers.vary]).toEqual([
        404,
        'Not found',
        'text/html; charset=utf-8',
        'Accept',
      ]);
      for (const place of ['/', '/explorer', '/reference']) expect(received.text).toContain(`<a href="${place}">`);
      expect(received.text).toContain('POST /graphql');
      expect(await get(path, ['Accept', browser], 'HEAD')).toMatchObject({ status: 404, text: '' });
    },
  );

  test.each([
    [],
    ['Accept', '*/*'],
    ['Accept', 'application/json'],
    ['Accept', 'application/json, text/html'],
    ['Accept', 'text/*;q=0.5, */*'],
    ['Accept', 'image/png'],
    ['Accept', 'text/html;q=0'],
    ['Accept', 'nonsense'],
  ])('every other client gets JSON: %s %s', async (...headers) => {
    const received = await get('/nowhere', headers);
    expect([received.status, received.headers.vary, received.json()]).toEqual([
      404,
      'Accept',
      {
        errors: [
          { message: 'Nothing is served here. The API is POST /graphql.', extensions: { code: 'UNKNOWN_PATH' } },
        ],
      },
    ]);
  });

  test('/graphql itself is JSON to a browser too', async () => {
    expect((await get('/graphql', ['Accept', browser])).json()).toMatchObject({
      errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
    });
  });
});

test('a page that fails says so with a number that stands in the log beside the reason, and nothing of the inside', async () => {
  const lines: { requestId?: string; err?: { message: string } }[] = [];
  const log = createLogger({
    service: 'gateway',
    level: 'error',
    destination: { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
  });
  const lectern = await startEmbeddedLectern({ log, operatorPassword });
  await lectern.keys.close();
  const ask = (accept: string) =>
    send(`${lectern.origin}/admin`, {
      method: 'GET',
      headers: ['Accept', accept, 'Cookie', 'lectern-operator=somebody'],
    });
  const [page, json] = [await ask(browser), await ask('*/*')];
  await lectern.close();
  const [first = '', second = ''] = lines.map(({ requestId }) => requestId);
  expect(lines.map(({ err }) => err?.message)).toEqual([
    'The database connection is not open',
    'The database connection is not open',
  ]);
  expect([page.status, title(page), /<code>(.*)<\/code>/.exec(page.text)?.[1], page.text.includes('database')]).toEqual(
    [500, 'Internal error', first, false],
  );
  expect([json.status, json.json()]).toEqual([
    500,
    {
      errors: [{ message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: second } }],
    },
  ]);
});
