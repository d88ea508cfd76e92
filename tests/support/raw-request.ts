import { connect } from 'node:net';

const timeoutMs = 3_000;

/** Sends these bytes unchanged to the host of the URL. Resolves with the first bytes of the response. */
export function sendRaw(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no response within ${timeoutMs} ms`)));
    socket.once('data', (chunk) => {
      resolve(chunk.toString('utf8'));
      socket.destroy();
    });
    socket.once('error', reject);
  });
}
