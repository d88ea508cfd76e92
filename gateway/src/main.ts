import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openKeys, readPepper } from '@lectern/keys';
import { createLogger, exitWithReason, runUntilStopped } from '@lectern/serving';
import { limitsOf, readConfig } from './config';
import { startGateway } from './gateway';
import { createHttpFetch } from './subgraphs/http-fetch';
import type { HttpFetch } from './subgraphs/http-fetch';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger({ service: 'gateway', level: config.LOG_LEVEL });
  const keys = openKeys({
    file: join(config.LECTERN_DATA, 'keys.sqlite'),
    pepper: readPepper({ setting: config.KEY_PEPPER, file: join(config.LECTERN_DATA, 'key-pepper') }),
  });
  const urls = new Map(config.SUBGRAPH_URLS.split(',').filter((pair) => pair !== '').map((pair): [string, string] => {
    const [name = '', ...url] = pair.split('=');
    return [name.trim(), url.join('=').trim()];
  }));
  const fetches: HttpFetch[] = [];
  const gateway = await startGateway({
    supergraphSdl: readSupergraph(config.SUPERGRAPH),
    subgraph: (name, url) => {
      const http = createHttpFetch({ url: urls.get(name) ?? url, timeoutMs: config.SUBGRAPH_TIMEOUT_MS, connections: config.SUBGRAPH_CONNECTIONS });
      fetches.push(http);
      return http.fetch;
    },
    keys,
    environment: config.LECTERN_ENVIRONMENT,
    corsOrigins: config.CORS_ORIGINS,
    mostBodyBytes: config.MAX_BODY_BYTES,
    limits: limitsOf(config),
    host: config.HOST,
    port: config.PORT,
    log,
  });
  log.info({ host: gateway.host, port: gateway.port, environment: config.LECTERN_ENVIRONMENT }, 'gateway ready');
  runUntilStopped(async () => {
    await gateway.close();
    await Promise.all(fetches.map((http) => http.close()));
    keys.close();
  }, log);
}

function readSupergraph(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`Cannot read the supergraph ${file} (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}). Make it with: npm run compose`, { cause: error });
  }
}

main().catch(exitWithReason);
