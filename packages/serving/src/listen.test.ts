import { createServer, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listen } from './index';

const serve = async (respondAfterMs: number) => {
  const server = createServer((_, response) => void setTimeout(() => response.end('ok'), respondAfterMs).unref());
  return listen(server, { host: '127.0.0.1', port: 0 });
};

/**
 * Starts a server that does not respond itself. `received` resolves with the `ServerResponse` of
 * the first request, with which the test can respond.
 */
async function serveWithoutResponse() {
  let onRequest: (response: ServerResponse) => void = () => {};
  const received = new Promise<ServerResponse>((resolve) => (onRequest = resolve));
  const server = createServer((_, response) => onRequest(response));
  return { listening: await listen(server, { host: '127.0.0.1', port: 0 }), received };
}

/**
 * Sends requests over one connection, one after the other, until a response has `Connection:
 * close`. Resolves to the number of responses. Rejects if the connection closes before a response.
 * Calls `onResponse` at each response.
 */
function sendUntilClosed(port: number, onResponse: () => void): Promise<number> {
  return new Promise((resolve, reject) => {
    let responses = 0;
    let waiting = false;
    const socket: Socket = connect(port, '127.0.0.1', () => sendOne());
    const sendOne = () => {
      waiting = true;
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    };
    socket.on('data', (chunk) => {
      responses += 1;
      waiting = false;
      onResponse();
      if (/^connection: close/im.test(chunk.toString('latin1'))) socket.end();
      else sendOne();
    });
    socket.on('error', reject);
    socket.on('close', () =>
      waiting ? reject(new Error('closed while a request was on its way')) : resolve(responses),
    );
  });
}

test('a closing server responds to every request of clients that keep sending requests over open connections', async () => {
  const listening = await serve(5);
  const first: Promise<void>[] = [];
  const clients = Array.from({ length: 12 }, () => {
    let onResponse = (): void => {};
    first.push(new Promise((resolve) => (onResponse = resolve)));
    return sendUntilClosed(listening.port, onResponse);
  });
  await Promise.all(first);
  const [counts] = await Promise.all([Promise.all(clients), listening.close()]);
  for (const count of counts) expect(count).toBeGreaterThan(1);
});

test.each([false, true])(
  'a server that closes with drainMs completes a request with Expect: 100-continue (checkContinue listener: %s)',
  async (hasListener) => {
    const respond = (_: unknown, response: ServerResponse) => void response.end('ok');
    const server = createServer(respond);
    if (hasListener)
      server.on('checkContinue', (_, response: ServerResponse) => {
        response.writeContinue();
        respond(_, response);
      });
    const { port, close } = await listen(server, { host: '127.0.0.1', port: 0 });
    const closed = close({ drainMs: 300 });
    const received = await new Promise<string>((resolve) => {
      let got = '';
      const socket = connect(port, '127.0.0.1', () =>
        socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n{}'),
      );
      socket
        .on('data', (chunk) => {
          got += chunk.toString('latin1');
        })
        .on('close', () => resolve(got));
    });
    expect(received).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\nConnection: close\r\n/);
    await closed;
  },
);

test('a closing server refuses new connections and still responds to a request in flight', async () => {
  const { listening, received } = await serveWithoutResponse();
  const inFlight = new Promise<string>((resolve, reject) => {
    request({ host: '127.0.0.1', port: listening.port }, (response) =>
      response.on('data', (chunk: Buffer) => resolve(chunk.toString())),
    )
      .on('error', reject)
      .end();
  });
  const response = await received;
  const closed = listening.close();
  const tryToConnect = () =>
    new Promise<string | undefined>((resolve) => {
      const socket = connect(listening.port, '127.0.0.1', () => resolve(void socket.destroy()));
      socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
    });
  // Waits between the attempts, because each new connection keeps the server listening for 50 ms.
  while ((await tryToConnect()) !== 'ECONNREFUSED') await new Promise((resolve) => setTimeout(resolve, 100));
  response.end('ok');
  expect(await inFlight).toBe('ok');
  await closed;
});

test('a closing server accepts new connections until drainMs is over, and responds with Connection: close', async () => {
  const listening = await serve(1);
  const connectionHeader = () =>
    new Promise<string | undefined>((resolve, reject) => {
      request({ host: '127.0.0.1', port: listening.port }, (response) =>
        response.resume().on('end', () => resolve(response.headers.connection)),
      )
        .on('error', reject)
        .end();
    });
  const closed = listening.close({ drainMs: 400 });
  expect([await connectionHeader(), await connectionHeader()]).toEqual(['close', 'close']);
  await closed;
  await expect(connectionHeader()).rejects.toThrow(/ECONNREFUSED/);
});

test('a closing server destroys the connection of a request that takes longer than graceMs', async () => {
  const { listening, received } = await serveWithoutResponse();
  const failure = new Promise<string>((resolve) => {
    request({ host: '127.0.0.1', port: listening.port })
      .on('error', (error) => resolve(error.message))
      .end();
  });
  await received;
  await listening.close({ graceMs: 200 });
  expect(await failure).toContain('hang up');
});

test('if the port is taken, listen rejects with an error that names the port and the host', async () => {
  const listening = await listen(createServer(), { host: '127.0.0.1', port: 0 });
  await expect(listen(createServer(), { host: '127.0.0.1', port: listening.port })).rejects.toThrow(
    `Port ${listening.port} on 127.0.0.1 is taken`,
  );
  await listening.close({ graceMs: 0 });
});
