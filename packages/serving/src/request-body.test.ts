import { createServer, type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { send } from '@lectern/testing';
import { listen, type ReadBody, readBody } from './index';

let onRequest: (incoming: IncomingMessage) => void | Promise<void> = () => {};
let onRead: (result: ReadBody['kind']) => void = () => {};
let url = '';
let close = async (): Promise<void> => {};
beforeAll(async () => {
  const server = createServer(async (incoming, response) => {
    await onRequest(incoming);
    const result = await readBody(incoming, 100_000);
    onRead(result.kind);
    response.end(result.kind === 'complete' ? `${result.body.length} bytes` : result.kind);
  });
  const listening = await listen(server, { host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${listening.port}/`;
  close = () => listening.close();
});
afterAll(() => close());

/** Sends the pieces one by one, then ends the request. */
function sendPieces(pieces: readonly string[], headers: Record<string, string>): Promise<string> {
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
      outgoing.end();
    };
    sending().catch(reject);
  });
}

test.each([0, 1, 100_000])(
  'readBody reads a body of %i bytes completely (the maximum is 100,000 bytes)',
  async (length) => {
    const body = 'x'.repeat(length);
    expect((await send(url, { body })).text).toBe(`${body.length} bytes`);
  },
);

test('readBody returns an empty body for a request without a body', async () => {
  expect((await send(url, { method: 'GET' })).text).toBe('0 bytes');
});

test.each<[string, Record<string, string>]>([
  ['declared', { 'content-length': '6' }],
  ['not declared', {}],
])(
  'readBody reads a body that arrives in two pieces completely if the length of the body is %s',
  async (_, headers) => {
    expect(await sendPieces(['one', 'two'], headers)).toBe('6 bytes');
  },
);

test.each<[string, readonly string[]]>([
  ['declared', []],
  ['not declared', ['Transfer-Encoding', 'chunked']],
])('readBody returns too-long for a body above the maximum if the length of the body is %s', async (_, headers) => {
  for (const bytes of [100_001, 2_000_000])
    expect((await send(url, { body: 'x'.repeat(bytes), headers })).text).toBe('too-long');
});

/** Sends a part of a body, and closes the connection when the server has the request. Resolves with what was read. */
async function readBrokenOff(beforeReading: (incoming: IncomingMessage) => Promise<void>): Promise<ReadBody['kind']> {
  const outgoing = request(url, { method: 'POST', headers: { 'content-length': '6' }, agent: false });
  const read = new Promise<ReadBody['kind']>((resolve) => {
    onRead = resolve;
  });
  onRequest = (incoming) => {
    setTimeout(() => outgoing.destroy(), 20);
    return beforeReading(incoming);
  };
  outgoing.on('error', () => {}).write('one');
  try {
    return await read;
  } finally {
    onRequest = () => {};
  }
}

test('readBody returns broken-off if the client closes the connection before the end of the body', async () => {
  expect(await readBrokenOff(async () => {})).toBe('broken-off');
});

test('readBody returns broken-off if the client has closed the connection before reading begins', async () => {
  const waitForClose = (incoming: IncomingMessage) =>
    new Promise<void>((resolve) => void incoming.on('close', resolve));
  expect(await readBrokenOff(waitForClose)).toBe('broken-off');
});
