import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { KeyStoreUnavailableError, keysSettings, openKeysFromSettings } from '@lectern/keys';
import { readSettings, silentLogger } from '@lectern/serving';
import { withFolder } from '@lectern/testing';
import { pepper } from '../support/embedded-lectern';

/** Creates the message by which PostgreSQL, or PgBouncer, rejects a connection. */
function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from('E    ');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

test.each(['unsupported startup parameter: statement_timeout', 'no such database: lectern'])(
  'if PgBouncer rejects a connection, openKeysFromSettings rejects with the message of PgBouncer: %s',
  async (message) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(errorResponse('08P01', message)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await withFolder(async (folder) => {
      const env = {
        LECTERN_DATA: folder,
        KEY_PEPPER: pepper,
        DATABASE_URL: `postgres://lectern:not-for-logs@127.0.0.1:${port}/lectern`,
      };
      const error = await openKeysFromSettings(readSettings(env, keysSettings), { log: silentLogger }).then(
        () => null,
        (reason: unknown) => reason as Error,
      );
      // A running gateway responds 503 to a request whose key lookup rejects with this error.
      expect(error).toBeInstanceOf(KeyStoreUnavailableError);
      expect(error?.message).toBe(
        `The key store at 127.0.0.1:${port}/lectern rejected the connection: ${message}. docs/operating.md says what PgBouncer needs.`,
      );
    });
    await new Promise<void>((resolve) => server.close(() => resolve()));
  },
);
