import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMetrics, noTelemetry } from '@lectern/telemetry';
import { freePort, metricValue, repositoryRoot, send, sendReady } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { openProcesses, waitUntil } from '../support/processes';
import { books, hashOf, jesusWept, notInSafelist, persistedQuery, post, verse } from './operations-and-responses';
import { apolloManifest, removeManifests, writeManifest } from './write-manifest';

afterAll(removeManifests);

test('with TRUSTED_DOCUMENTS_ONLY rejected queries do not count against the quota, and documents are planned at startup', async () => {
  const metrics = createMetrics({ service: 'test' });
  const lectern = await startEmbeddedLectern({
    trustedDocuments: { location: writeManifest(apolloManifest([verse]), 'only.json'), pollMs: 0, isOnly: true },
    persistedQueries: { maxBytes: 0, maxSeconds: 0 },
    rates: { perMinute: 0, keyPerMinute: 0, perDay: 1, keyRequestsPerHour: 0 },
    telemetry: { metrics, tracing: noTelemetry.tracing },
  });
  try {
    expect((await post(lectern, lectern.token, { query: books.body })).json()).toMatchObject(notInSafelist);
    const counts = async () => {
      const text = await metrics.text();
      return ['lectern_documents_total', 'lectern_plans_total'].map((name) => metricValue(text, name, 'result="miss"'));
    };
    const before = await counts();
    expect((await post(lectern, lectern.token, persistedQuery(hashOf(verse.body)))).json()).toEqual(jesusWept);
    expect(await counts()).toEqual(before);
  } finally {
    await lectern.close();
  }
});

test.each<[string, string, RegExp]>([
  [
    'has a mutation',
    apolloManifest([{ name: 'Change', body: 'mutation Change { testField }' }]),
    /"Change" is rejected: it is a mutation/,
  ],
  ['is cut off', apolloManifest([verse]).slice(0, 40), /cut off/],
])(
  'a gateway does not start if its manifest of trusted documents %s, and the error names TRUSTED_DOCUMENTS and the reason',
  async (_, text, reason) => {
    const location = writeManifest(text, 'start.json');
    const starting = startEmbeddedLectern({ trustedDocuments: { location, pollMs: 0, isOnly: false } });
    await expect(starting).rejects.toThrow(reason);
    await expect(starting).rejects.toThrow(/^TRUSTED_DOCUMENTS: /);
  },
);

test('a gateway reports documents that a new supergraph makes invalid, and accepts a manifest that a later one makes valid', async () => {
  const processes = await openProcesses();
  try {
    const composed = readFileSync(join(repositoryRoot, 'supergraph.graphql'), 'utf8');
    const supergraph = writeManifest(composed, 'supergraph.graphql');
    const body = 'query References { references(text: "John 3:16") { reference } }';
    const metricsPort = await freePort();
    const { gateway } = await processes.serveGateway(
      {},
      {
        SUPERGRAPH: supergraph,
        SUPERGRAPH_POLL_MS: '50',
        TRUSTED_DOCUMENTS: writeManifest(apolloManifest([verse, { name: 'References', body }]), 'swap.json'),
        TRUSTED_DOCUMENTS_POLL_MS: '50',
        METRICS_PORT: String(metricsPort),
      },
    );
    writeManifest(
      composed.replace(
        '[ParsedReference!] @join__field(graph: TEXT) @fieldCost(base: 1)',
        '[ParsedReference!] @join__field(graph: TEXT) @fieldCost(base: 400)',
      ),
      'supergraph.graphql',
    );
    const state = async () =>
      ((await sendReady(gateway.origin, '?verbose')).json() as { trustedDocuments: object }).trustedDocuments;
    await waitUntil(async () => JSON.stringify(await state()).includes('"References"'));
    expect(await state()).toEqual({ documents: 2, rejected: null, invalid: ['References'] });
    expect(gateway.output()).toContain('the new supergraph rejects trusted documents');
    const page = (await send(`http://127.0.0.1:${metricsPort}/metrics`, { method: 'GET' })).text;
    expect(metricValue(page, 'lectern_trusted_documents_invalid')).toBe(1);

    // The current supergraph rejects this manifest. The gateway uses it when the earlier supergraph
    // is back.
    writeManifest(apolloManifest([{ name: 'Again', body: body.replace('References', 'Again') }]), 'swap.json');
    await waitUntil(async () => JSON.stringify(await state()).includes('"Again\\" is rejected'));
    writeManifest(composed, 'supergraph.graphql');
    await waitUntil(async () => JSON.stringify(await state()).includes('"rejected":null'));
    expect(await state()).toEqual({ documents: 1, rejected: null, invalid: [] });
  } finally {
    await processes.close();
  }
});
