import { createServer, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { send } from '@lectern/testing';
import { listen, readBody } from './index';

let onRead: (body: Buffer | string) => void = () => {};
let url = '';
let close = async (): Promise<void> => {};
beforeAll(async () => {
  const server = createServer((incoming, response) => {
    void readBody(incoming, 100_000).then((body) => {
      onRead(body);
      response.end(Buffer.isBuffer(body) ? `${body.length} bytes` : body);
    });
  });
  const listening = await listen(server, { host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${listening.port}/`;
  close = () => listening.close();
});
afterAll(() => close());

/** Sends the pieces one by one, and then the end, or nothing more. */
function sendPieces(pieces: readonly string[], headers: Record<string, string>, { ends = true } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers, agent: false }, (incoming) =>
      incoming.on('data', (chunk: Buffer) => resolve(chunk.toString())),
    );
    outgoing.on('error', reject);
    const sending = async (): Promise<void> => {
      for (const piece of pieces) {
        outgoing.write(piece);
        await pause(20);
      }
      if (ends) outgoing.end();
      else outgoing.destroy();
    };
    sending().catch(reject);
  });
}

test.each(['', 'x', 'x'.repeat(100_000)])(
  'a body that comes with its head is read, whatever its length (%#)',
  async (body) => {
    expect((await send(url, { body })).text).toBe(`${body.length} bytes`);
  },
);

test('a request without a body has an empty one', async () => {
  expect((await send(url, { method: 'GET' })).text).toBe('0 bytes');
});

test.each<[string, Record<string, string>]>([
  ['declared', { 'content-length': '6' }],
  ['not declared', {}],
])('a body that comes in pieces is read to its end, its length %s', async (_, headers) => {
  expect(await sendPieces(['one', 'two'], headers)).toBe('6 bytes');
});

test.each<[string, readonly string[]]>([
  ['declared', []],
  ['not declared', ['Transfer-Encoding', 'chunked']],
])('a body that is too long is so told, its length %s', async (_, headers) => {
  for (const bytes of [100_001, 2_000_000])
    expect((await send(url, { body: 'x'.repeat(bytes), headers })).text).toBe('too-long');
});

test('a body that breaks off is none', async () => {
  const read = new Promise((resolve) => {
    onRead = resolve;
  });
  await expect(sendPieces(['one'], { 'content-length': '6' }, { ends: false })).rejects.toThrow(/hang up/);
  expect(await read).toBe('broken-off');
});
