import { connect } from 'node:net';

const timeoutMs = 30_000;

/**
 * Sends a text unchanged to the host and port of the URL, for requests that Node's HTTP client
 * would not send. Resolves with the response when it is complete or the server closes the
 * connection.
 */
export function sendRaw(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    let received = Buffer.alloc(0);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const end = () => {
      resolve(received.toString('utf8'));
      socket.destroy();
    };
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no response within ${timeoutMs} ms`)));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (isComplete(received)) end();
    });
    socket.once('end', end);
    socket.once('error', reject);
  });
}

/** Returns whether the body of a response is as long as its Content-Length header says. */
function isComplete(response: Buffer): boolean {
  const headEnd = response.indexOf('\r\n\r\n');
  const [, length] = /^content-length: (\d+)/im.exec(response.subarray(0, headEnd).toString('latin1')) ?? [];
  return headEnd !== -1 && length !== undefined && response.length >= headEnd + 4 + Number(length);
}
