import type { ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { createLogger, listen } from './index';

const serve = async (answerAfterMs: number, drainMs = 0) => {
  const server = createServer((_, response) => void setTimeout(() => response.end('ok'), answerAfterMs).unref());
  return listen(server, { host: '127.0.0.1', port: 0, drainMs });
};

/** Asks on one kept connection, again and again, until the server closes it as servers may; rejects when a request gets no answer. */
function askUntilClosed(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let answered = 0;
    let waiting = false;
    const socket: Socket = connect(port, '127.0.0.1', () => ask());
    const ask = () => {
      waiting = true;
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    };
    socket.on('data', (chunk) => {
      answered += 1;
      waiting = false;
      if (/^connection: close/im.test(chunk.toString('latin1'))) socket.end();
      else ask();
    });
    socket.on('error', reject);
    socket.on('close', () =>
      waiting ? reject(new Error('closed while a request was on its way')) : resolve(answered),
    );
  });
}

test('clients that keep asking while the server drains lose no request', async () => {
  const listening = await serve(5);
  const clients = Array.from({ length: 12 }, () => askUntilClosed(listening.port));
  await new Promise((resolve) => setTimeout(resolve, 200));
  const [answered] = await Promise.all([Promise.all(clients), listening.close()]);
  for (const count of answered) expect(count).toBeGreaterThan(1);
});

test.each([false, true])(
  'a client that waits for leave to send its body is told as well that the connection closes, and gets its answer (the server itself gives leave: %s)',
  async (itself) => {
    const answer = (_: unknown, response: ServerResponse) => void response.end('ok');
    const server = createServer(answer);
    if (itself)
      server.on('checkContinue', (_, response: ServerResponse) => {
        response.writeContinue();
        answer(_, response);
      });
    const { port, close } = await listen(server, { host: '127.0.0.1', port: 0, drainMs: 300 });
    const closed = close();
    const said = await new Promise<string>((resolve) => {
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
    expect(said).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\nConnection: close\r\n/);
    await closed;
  },
);

test('a request under way is finished, a new connection is refused', async () => {
  const listening = await serve(400);
  const underWay = new Promise<string>((resolve, reject) => {
    request({ host: '127.0.0.1', port: listening.port }, (response) =>
      response.on('data', (chunk: Buffer) => resolve(chunk.toString())),
    )
      .on('error', reject)
      .end();
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  const closed = listening.close();
  await expect(
    new Promise(
      (resolve, reject) => void connect(listening.port, '127.0.0.1').on('connect', resolve).on('error', reject),
    ),
  ).rejects.toThrow(/ECONNREFUSED/);
  expect(await underWay).toBe('ok');
  await closed;
});

test('who does not know yet that it stops is answered while the notice lasts, and told to come on another connection', async () => {
  const listening = await serve(1, 400);
  const ask = () =>
    new Promise<string | undefined>((resolve, reject) => {
      request({ host: '127.0.0.1', port: listening.port }, (response) =>
        response.resume().on('end', () => resolve(response.headers.connection)),
      )
        .on('error', reject)
        .end();
    });
  const closed = listening.close();
  expect([await ask(), await ask()]).toEqual(['close', 'close']);
  await closed;
  await expect(ask()).rejects.toThrow(/ECONNREFUSED/);
});

test('what does not finish in its grace is cut', async () => {
  const listening = await serve(60_000);
  const cut = new Promise<string>((resolve) => {
    request({ host: '127.0.0.1', port: listening.port })
      .on('error', (error) => resolve(error.message))
      .end();
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  await listening.close(200);
  expect(await cut).toContain('hang up');
});

test('a port that is taken is named, with what to do', async () => {
  const listening = await serve(0);
  await expect(listen(createServer(), { host: '127.0.0.1', port: listening.port })).rejects.toThrow(
    `Port ${listening.port} on 127.0.0.1 is taken`,
  );
  await listening.close(0);
});

test('no key gets into a log line, wherever it stands', () => {
  const lines: string[] = [];
  const log = createLogger({ service: 'test', level: 'info', destination: { write: (line) => lines.push(line) } });
  const key = `svc_live_${'a'.repeat(49)}`;
  log.info(
    { headers: { authorization: `Bearer ${key}` }, url: `/graphql?key=${key}`, err: new Error(`bad ${key}`) },
    `saw ${key}`,
  );
  expect(lines.join()).not.toContain('aaaa');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', service: 'test', msg: 'saw svc_live_[redacted]' });
});
