import type { Keys } from '@lectern/keys';
import { graphqlHeaders, send, useStarted } from '@lectern/testing';
import { issueKey, startEmbeddedLectern } from '../support/embedded-lectern';
import { pgCtl, startPostgresStore } from '../support/key-stores';

const body = JSON.stringify({ query: '{ translation(identifier: "eng-web") { abbrev } }' });
const status = async (url: string, token: string) => (await send(url, { headers: graphqlHeaders(token), body })).status;

(pgCtl === null ? describe.skip : describe)('gateways that share keys in PostgreSQL', () => {
  const stores = useStarted(() => startPostgresStore(pgCtl ?? ''));

  test('a gateway rejects a key with 401 at its next request after another gateway has revoked the key', async () => {
    const place = await stores.createDeployment();
    const [here, there] = [await place.open(), await place.open()];
    const [first, other] = [await startEmbeddedLectern({ keys: here }), await startEmbeddedLectern({ keys: there })];
    try {
      const { token, key } = await issueKey(here);
      expect([await status(first.url, token), await status(other.url, token)]).toEqual([200, 200]);
      await here.revoke(key.id, 'a test');
      expect([await status(other.url, token), await status(first.url, token)]).toEqual([401, 401]);
    } finally {
      await Promise.all([first.close(), other.close()]);
      await Promise.all([here, there].map((keys: Keys) => keys.close()));
    }
  });

  test('two gateways of different environments that share a database each accept only the keys of their own environment', async () => {
    const place = await stores.createDeployment();
    const [liveKeys, testKeys] = [await place.open(), await place.open()];
    const gateways = [
      await startEmbeddedLectern({ keys: liveKeys, environment: 'live' }),
      await startEmbeddedLectern({ keys: testKeys, environment: 'test' }),
    ];
    /**
     * Resolves with the status and error message of each gateway: first the live gateway, then the
     * test gateway.
     */
    const responsesTo = (token: string) =>
      Promise.all(
        gateways.map(async ({ url }) => {
          const { status: code, text } = await send(url, { headers: graphqlHeaders(token), body });
          const { errors = [] } = JSON.parse(text) as { errors?: { message: string }[] };
          return [code, errors[0]?.message];
        }),
      );
    const accepted = [200, undefined];
    const wrongEnvironment = [401, 'API key not valid for this environment'];
    const unknown = [401, 'Invalid or missing API key'];
    try {
      const live = await issueKey(liveKeys, { environment: 'live' });
      const test = await issueKey(testKeys);
      expect(await responsesTo(live.token)).toEqual([accepted, wrongEnvironment]);
      expect(await responsesTo(test.token)).toEqual([wrongEnvironment, accepted]);
      for (const keys of [liveKeys, testKeys])
        for (const environment of ['live', 'test'] as const)
          await expect(issueKey(keys, { environment })).rejects.toThrow(
            `reader@example.org has a ${environment} key already`,
          );
      for (const prefix of ['svc_live_', 'svc_test_'])
        expect(await responsesTo(prefix + 'a'.repeat(49))).toEqual([unknown, unknown]);
      await testKeys.revoke(live.key.id, 'a test');
      await liveKeys.revoke(test.key.id, 'a test');
      for (const { token } of [live, test]) expect(await responsesTo(token)).toEqual([unknown, unknown]);
      const again = await issueKey(liveKeys);
      expect(await responsesTo(again.token)).toEqual([wrongEnvironment, accepted]);
    } finally {
      await Promise.all(gateways.map((gateway) => gateway.close()));
      await Promise.all([liveKeys, testKeys].map((keys) => keys.close()));
    }
  });
});
