import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SubgraphRequest, SubgraphResponse } from '@lectern/gateway';
import { startGateway, transportWithoutReplicas } from '@lectern/gateway';
import { openKeys } from '@lectern/keys';
import { graphqlHeaders, send, sendReady } from '@lectern/testing';
import { gatewaySettings, issueKey, pepper } from './embedded-lectern';
import { createRecordedLog } from './recorded-log';
import type { SchemaRegistry } from './schema-registry';
import { registryKey } from './schema-registry';

interface ReadyBody {
  readonly reason?: string;
  readonly supergraphRejected?: { readonly reason: string };
  readonly supergraph: { readonly sha256: string | null; readonly isCopy: boolean };
}

export interface RegistryGatewayOptions {
  /** Where the gateway stores a copy of its supergraph, for a start without the registry. */
  copyFolder: string;
  /** The headers of the gateway's requests to the registry. By default the key of the registry. */
  headers?: Record<string, string>;
  /** The milliseconds between two requests for a new supergraph. 20 by default. */
  pollMs?: number;
  executionStrategy?: 'auto' | 'standard';
  /** Responds in place of the subgraph. By default no subgraph responds. */
  respond?: (subgraph: string, request: SubgraphRequest) => Promise<SubgraphResponse>;
}

const rejectRequest = (): Promise<never> => Promise.reject(new Error('no subgraph runs in this test'));

/** Starts a gateway with a key store of its own in this process. It fetches its supergraph from the registry `from`. */
export async function openRegistryGateway(
  from: SchemaRegistry,
  {
    copyFolder,
    headers = { [from.keyHeader]: registryKey },
    pollMs = 20,
    executionStrategy = 'auto',
    respond = rejectRequest,
  }: RegistryGatewayOptions,
) {
  const { log, lines } = createRecordedLog();
  const keysFolder = mkdtempSync(join(tmpdir(), 'lectern-'));
  const keys = openKeys({ file: join(keysFolder, 'keys.sqlite'), pepper });
  const { token } = await issueKey(keys);
  const closeKeys = async (): Promise<void> => {
    await keys.close();
    rmSync(keysFolder, { recursive: true, force: true });
  };
  const gateway = await startGateway({
    supergraph: `${from.url}/supergraph.graphql?signature=secret-signature`,
    supergraphHeaders: headers,
    supergraphCopyFolder: copyFolder,
    supergraphPollMs: pollMs,
    openSubgraphs: () => ({
      ...transportWithoutReplicas,
      subgraph: (name) => (request) => respond(name, request),
    }),
    keys,
    ...gatewaySettings,
    rates: { ...gatewaySettings.rates, perDay: 100_000 },
    executionStrategy,
    log,
  }).catch(async (error: unknown) => {
    await closeKeys();
    throw error;
  });
  const origin = `http://127.0.0.1:${gateway.port}`;
  const get = (path: string) => send(origin + path, { method: 'GET' });
  return {
    get,
    lines: (message: string) => lines.filter((line) => line.includes(message)),
    output: () => lines.join(''),
    async ready() {
      const response = await sendReady(origin, '?verbose');
      return { ...(response.json() as ReadyBody), status: response.status };
    },
    query: (query = '{ __typename }') =>
      send(`${origin}/graphql`, { headers: graphqlHeaders(token), body: JSON.stringify({ query }) }),
    async close(): Promise<void> {
      await gateway.close({ graceMs: 0 });
      await closeKeys();
    },
  };
}
