#!/usr/bin/env node
import { createHealth, createLogger, listen, runCommand, runUntilStopped } from '@lectern/serving';
import { startTelemetry } from '@lectern/telemetry';
import { runEmbeddingsCommand } from './command';
import { createEmbeddingsServer } from './server';

const stop = new AbortController();
// Stops the commands `build` and `verify`. The command `serve` has its own handlers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

runCommand(() =>
  runEmbeddingsCommand(process.argv.slice(2), {
    env: process.env,
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    signal: stop.signal,
    async serve({ embedder, config }) {
      const log = createLogger({ service: 'embeddings', level: config.LOG_LEVEL });
      const { EMBEDDINGS_API_KEY: apiKey } = config;
      const { metrics, close } = await startTelemetry({
        service: 'embeddings',
        config: { ...config, OTEL_EXPORTER_OTLP_ENDPOINT: '' },
        log,
      });
      const readiness = () =>
        embedder.warm().then(
          () => ({}),
          () => ({ status: 'not ready' }),
        );
      const health = createHealth({ readiness });
      const server = createEmbeddingsServer({ embedder, health, metrics, log, ...(apiKey !== '' && { apiKey }) });
      const listening = await listen(server, { host: config.HOST, port: config.PORT });
      log.info({ host: listening.host, port: listening.port, model: embedder.id }, 'serving embeddings');
      runUntilStopped(async () => {
        health.stop();
        await listening.close();
        await embedder.close();
        await close();
      }, log);
    },
  }),
);
