import { serveOfflinePackages } from '@lectern/corpus';
import { createClientAddresses, exitWithReason } from '@lectern/serving';
import { runSubgraph } from '@lectern/subgraph';
import { readConfig } from './config';
import { createTextSubgraph } from './subgraph';

async function main(): Promise<void> {
  await runSubgraph({
    name: 'text',
    config: readConfig(process.env),
    open: ({ config, scheduler, memory, log }) =>
      createTextSubgraph({
        dataDir: config.LECTERN_DATA,
        preloadParser: config.PRELOAD_PARSER,
        offlineBaseUrl: config.OFFLINE_BASE_URL,
        scheduler,
        memory,
        log,
      }),
    serveMore: async ({ config, log }) =>
      config.OFFLINE_PORT === 0
        ? null
        : serveOfflinePackages({
            dataDir: config.LECTERN_DATA,
            host: config.HOST,
            port: config.OFFLINE_PORT,
            maxPerMinute: config.OFFLINE_RATE_PER_MINUTE,
            addressOf: createClientAddresses(config.TRUSTED_PROXIES, log).addressOf,
            log,
          }),
  });
}

main().catch(exitWithReason);
