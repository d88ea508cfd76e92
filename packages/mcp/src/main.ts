#!/usr/bin/env node
import { AuthenticationError, createLecternClient } from '@lectern/client';
import type { Logger } from '@lectern/serving';
import {
  createClientAddresses,
  createHealth,
  createLogger,
  createOutageReporter,
  errorMessage,
  listen,
  runCommand,
  runUntilStopped,
  splitList,
} from '@lectern/serving';
import { startTelemetry } from '@lectern/telemetry';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createLinks, type Links } from './answer';
import { help, parseCommand, readConfig } from './config';
import { createKeyCheck } from './key-check';
import { createMcpHttpServer, createMcpServer, mcpPath } from './server';
import { createCallMetrics, describeError, readTranslations } from './tool';

/** In bytes, over stdio. A longer message ends the process, and tools reject arguments of such a size. */
const maxMessageBytes = 32_000_000;

type Config = ReturnType<typeof readConfig>;

/** Resolves when the server has started. The process then runs until it is stopped. */
async function main(args: string[]): Promise<number> {
  const command = parseCommand(args);
  if (typeof command === 'object') {
    process.stderr.write(`${command.invalid}. See --help.\n`);
    return 2;
  }
  if (command === 'help') {
    process.stdout.write(help);
    return 0;
  }
  const config = readConfig(process.env);
  // Logs are written to standard error, because over stdio, standard output is only for messages of the protocol.
  const log = createLogger({ service: 'mcp', level: config.LOG_LEVEL, destination: process.stderr });
  if (command === 'http') await startHttp(config, log);
  else startStdio(config, log);
  return 0;
}

function startStdio(config: Config, log: Logger): void {
  const context = createContext(config);
  if (config.LECTERN_KEY === '')
    throw new Error(
      `LECTERN_KEY is not set. Set it to an API key of ${config.LECTERN_URL}. \`npm start\` prints one at its first start; ${context.links.keyRequest} is the form to request one.`,
    );
  const client = createClient(config, config.LECTERN_KEY);
  const handle = serveStdio(() => createMcpServer({ ...context, client }), {
    transport: new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: maxMessageBytes }),
    onerror: (error) => log.error({ err: error }, 'a message could not be read or sent'),
  });
  runUntilStopped(() => handle.close(), log);
  // Checks that the service responds. When standard input ends, `ended` cancels this, and the process exits.
  const ended = new AbortController();
  for (const event of ['end', 'close']) process.stdin.once(event, () => ended.abort());
  readTranslations(client, ended.signal).catch((error: unknown) => {
    if (!ended.signal.aborted) logStartError(error, { ...context, config, log });
  });
}

async function startHttp(config: Config, log: Logger): Promise<void> {
  const { metrics, close } = await startTelemetry({
    service: 'mcp',
    config: { ...config, OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    log,
  });
  const context = { ...createContext(config), recordCall: createCallMetrics(metrics) };
  const health = createHealth({ readiness: createReadiness(config.LECTERN_URL, log) });
  const server = createMcpHttpServer({
    createMcpServer: (key) => createMcpServer({ ...context, client: createClient(config, key) }),
    checkKey: createKeyCheck(config.LECTERN_URL),
    addressOf: createClientAddresses(config.TRUSTED_PROXIES, log).addressOf,
    allowedHosts: splitList(config.ALLOWED_HOSTS),
    allowedOrigins: splitList(config.ALLOWED_ORIGINS),
    health,
    metrics,
    log,
  });
  const listening = await listen(server, { host: config.HOST, port: config.PORT });
  const stop = async (drainMs: number) => {
    health.stop();
    await listening.close({ drainMs });
    await close();
  };
  runUntilStopped(stop, log, { drainMs: config.DRAIN_MS });
  process.stderr.write(`Serving the Model Context Protocol on http://${config.HOST}:${config.PORT}${mcpPath}\n`);
  // Over HTTP the process has no key, so a running service responds with 401.
  createClient(config)
    .query('{ __typename }')
    .catch((error: unknown) => {
      if (!(error instanceof AuthenticationError)) logStartError(error, { ...context, config, log });
    });
}

/** How long /ready waits for its checks, in milliseconds. Load balancers wait about a second for /ready. */
const maxCheckMs = 800;

/** For /ready. The server stays ready without the service, which all servers share: tools report failures. */
function createReadiness(url: string, log: Logger) {
  const messages = { began: 'the service is unavailable: tools fail', ended: 'the service is available again' };
  const outage = createOutageReporter(log, messages, { url });
  return async () => {
    try {
      // A status of 404 counts as available, because a proxy may not forward /ready. A request for /ready needs no key.
      const { status } = await fetch(new URL('ready', url), {
        method: 'HEAD',
        signal: AbortSignal.timeout(maxCheckMs),
      });
      if (status < 500) outage.end();
      else outage.begin(`it responds to /ready with the status ${status}`);
    } catch (error) {
      outage.begin(`it cannot be reached: ${errorMessage((error as Error).cause ?? error)}`);
    }
    const reason = outage.reason();
    return reason === null ? {} : { degraded: [{ service: 'Lectern', reason }] };
  };
}

/** The process continues, because the service may start later. Any other error is a bug and ends it. */
function logStartError(error: unknown, { config, links, log }: { config: Config; links: Links; log: Logger }): void {
  log.error({ url: config.LECTERN_URL }, describeError(error, links));
}

const createContext = ({ LECTERN_URL, LECTERN_PAGES_URL, LECTERN_READER_URL }: Config) => ({
  links: createLinks({
    pagesUrl: LECTERN_PAGES_URL || new URL(LECTERN_URL).origin,
    readerUrl: LECTERN_READER_URL,
  }),
});

const createClient = ({ LECTERN_URL, LECTERN_DEADLINE_MS }: Config, key?: string) =>
  // Automatic persisted queries are off: with hashes, the first call of each tool would need two requests.
  createLecternClient({
    url: LECTERN_URL,
    ...(key !== undefined && { key }),
    deadlineMs: LECTERN_DEADLINE_MS,
    persistedQueries: false,
  });

runCommand(() => main(process.argv.slice(2)));
