import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { graphqlHeaders, useStarted } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';

// The response is larger than the default maximum cost allows.
const lectern = useStarted(() => startEmbeddedLectern({ limits: { tokens: 5_000, depth: 15, complexity: 100_000 } }));

const aliases = Array.from({ length: 15 }, (_, index) => `${'a'.repeat(90)}${index}: text`);
/** A query whose response, of 6.8 MB, does not fit into the buffers of the operating system. */
const query = `{ passage(reference: "Psalms") { verses { ${aliases.join(' ')} } } }`;

/**
 * Sends the query, and reads nothing of the response for `ms` milliseconds. Returns the bytes that
 * then arrive until the connection closes.
 */
async function readAfter(ms: number): Promise<Buffer> {
  const body = JSON.stringify({ query });
  const headers = graphqlHeaders(lectern.token);
  const lines = headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1] ?? ''}`] : []));
  const { port } = new URL(lectern.url);
  const socket = connect({ port: Number(port), host: '127.0.0.1' }).pause();
  socket.write(
    [
      'POST /graphql HTTP/1.1',
      'Host: x',
      'Connection: close',
      ...lines,
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  );
  await pause(ms);
  const received: Buffer[] = [];
  for await (const chunk of socket) received.push(chunk as Buffer);
  return Buffer.concat(received);
}

const declaredLength = (response: Buffer): number =>
  Number(/^content-length: (\d+)/im.exec(response.toString('latin1'))?.[1]);

test('the gateway closes a connection if the client has read nothing of its response for 140 s', async () => {
  const [read, unread] = await Promise.all([readAfter(100), readAfter(140_000)]);
  expect(declaredLength(read)).toBeGreaterThan(6_000_000);
  expect(read.length).toBeGreaterThan(declaredLength(read));
  expect(declaredLength(unread)).toBe(declaredLength(read));
  expect(unread.length).toBeLessThan(declaredLength(unread));
});
