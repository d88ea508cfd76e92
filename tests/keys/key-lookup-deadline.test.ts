import { useStarted } from '@lectern/testing';
import { startDelayingProxy } from '../support/delaying-proxy';
import { pgCtl, startPostgresStore } from '../support/key-stores';
import { waitUntil } from '../support/processes';

const describePostgres = pgCtl === null ? describe.skip : describe;

/** Resolves with the message of the error that rejects the promise. */
const rejectionOf = (result: unknown): Promise<string> =>
  Promise.resolve(result).then(
    () => 'no rejection',
    (error: unknown) => (error as Error).message,
  );

describePostgres('the deadline of key lookups in PostgreSQL', () => {
  const stores = useStarted(() => startPostgresStore(pgCtl ?? ''));

  test('keys.authenticate rejects after DATABASE_TIMEOUT_MS if connecting, preparing the connection and the query each take almost half of it', async () => {
    const place = await stores.createDeployment();
    const url = new URL(place.env['DATABASE_URL'] ?? '');
    const proxy = await startDelayingProxy(Number(url.port));
    url.port = String(proxy.port);
    const keys = await place.open({ env: { DATABASE_URL: url.href, DATABASE_TIMEOUT_MS: '2000' } });
    const { token } = await keys.issue({ email: 'reader@example.org', name: 'Reader', environment: 'test' }, 'a test');
    proxy.disconnect();
    // In this time, the connection pool of `keys` notices that its connections are closed.
    await new Promise((resolve) => setTimeout(resolve, 200));
    proxy.setDelay(900);
    const began = performance.now();
    expect(await rejectionOf(keys.authenticate(token, 'test'))).toMatch(
      /does not respond \(no response within 2000 ms\)/,
    );
    const duration = performance.now() - began;
    expect(duration).toBeGreaterThan(1_900);
    expect(duration).toBeLessThan(2_500);
    // Lookups succeed again when responses are fast again.
    proxy.setDelay(0);
    await waitUntil(async () => (await rejectionOf(keys.authenticate(token, 'test'))) === 'no rejection');
    await keys.close();
    await proxy.close();
  });
});
