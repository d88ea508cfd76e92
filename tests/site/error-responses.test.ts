import type { HttpResponse } from '@lectern/testing';
import { send, useStarted } from '@lectern/testing';
import Database from 'better-sqlite3';
import { operatorPassword } from '../support/admin-fixture';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { createRecordedLog } from '../support/recorded-log';

const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const title = ({ text }: HttpResponse) => /<title>(.*?) - Lectern<\/title>/.exec(text)?.[1];

describe('paths without a route', () => {
  const lectern = useStarted(startEmbeddedLectern);
  const get = (path: string, headers: readonly string[], method = 'GET') =>
    send(lectern.origin + path, { method, headers });

  test.each(['/nowhere', '/admin', '/graphql/', '/GraphQL', '/graphql.html', '/explorers'])(
    'a browser that requests the unknown path %s gets an HTML page with status 404 and links to the public pages',
    async (path) => {
      const received = await get(path, ['Accept', browserAccept]);
      expect([received.status, title(received), received.headers['content-type'], received.headers.vary]).toEqual([
        404,
        'Not found',
        'text/html; charset=utf-8',
        'Accept',
      ]);
      for (const link of ['/', '/explorer', '/reference']) expect(received.text).toContain(`<a href="${link}">`);
      expect(received.text).toContain('POST /graphql');
      expect(await get(path, ['Accept', browserAccept], 'HEAD')).toMatchObject({ status: 404, text: '' });
    },
  );

  test.each([
    ['no Accept header', []],
    ['Accept: */*', ['Accept', '*/*']],
    ['Accept: application/json', ['Accept', 'application/json']],
    ['Accept: application/json, text/html', ['Accept', 'application/json, text/html']],
    ['Accept: text/*;q=0.5, */*', ['Accept', 'text/*;q=0.5, */*']],
    ['Accept: image/png', ['Accept', 'image/png']],
    ['Accept: text/html;q=0', ['Accept', 'text/html;q=0']],
    ['Accept: malformed', ['Accept', 'malformed']],
  ])('for an unknown path, a client that sends %s gets status 404 as JSON', async (_, headers) => {
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

  test('GET /graphql from a browser without an API key gets the error UNAUTHENTICATED as JSON, not as HTML', async () => {
    expect((await get('/graphql', ['Accept', browserAccept])).json()).toMatchObject({
      errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
    });
  });

  test('if OPERATOR_PASSWORD is not set, the paths of the operator pages respond 404 as unknown paths do', async () => {
    const responses = await Promise.all(['/admin', '/admin/sign-in', '/nowhere'].map((path) => get(path, [])));
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(responses[1]?.text).toBe(responses[2]?.text);
  });
});

test('if the code of a page throws, it responds 500 with the request id of the log and without internal details', async () => {
  const { log, lines } = createRecordedLog('error');
  const lectern = await startEmbeddedLectern({ log, operatorPassword });
  const database = new Database(lectern.keysFile);
  database.exec('DROP TABLE operator_session');
  database.close();
  const request = (accept: string) =>
    send(`${lectern.origin}/admin`, {
      method: 'GET',
      headers: ['Accept', accept, 'Cookie', 'lectern-operator=somebody'],
    });
  const [page, json] = [await request(browserAccept), await request('*/*')];
  await lectern.close();
  const logged = lines.map((line) => JSON.parse(line) as { requestId: string; err: { message: string } });
  const [first = '', second = ''] = logged.map(({ requestId }) => requestId);
  const message = 'no such table: operator_session';
  expect(logged.map(({ err }) => err.message)).toEqual([message, message]);
  expect([
    page.status,
    title(page),
    /<code>(.*)<\/code>/.exec(page.text)?.[1],
    page.text.includes('operator_session'),
  ]).toEqual([500, 'Internal error', first, false]);
  expect([json.status, json.json()]).toEqual([
    500,
    {
      errors: [{ message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: second } }],
    },
  ]);
});
