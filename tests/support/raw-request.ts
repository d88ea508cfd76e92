import { connect } from 'node:net';

const timeoutMs = 3_000;

/**
 * Sends a text unchanged to the host and port of the URL, for requests that Node's HTTP client
 * would not send. Resolves with the first part of the response.
 */
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
