import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settings as gatewaySettings } from '@lectern/gateway';
import { settings as mcpSettings } from '@lectern/mcp';
import { settings as standaloneSettings } from '@lectern/standalone';
import { repositoryRoot } from '@lectern/testing';
import type { ValidatorSpec } from 'envalid';
import { cleanEnv } from 'envalid';
import { settingsOfSubgraph, subgraphNames } from '../support/supergraph-yaml';

type Settings = Readonly<Record<string, ValidatorSpec<unknown>>>;

/** The settings that the process of each image reads from its environment. */
const settingsOf: Readonly<Record<string, Settings>> = {
  gateway: gatewaySettings,
  ...Object.fromEntries(subgraphNames.map((name) => [name, settingsOfSubgraph(name)])),
  // Every image sets LECTERN_DATA, which this process does not use.
  mcp: { ...mcpSettings, LECTERN_DATA: standaloneSettings.LECTERN_DATA },
  lectern: standaloneSettings,
  data: standaloneSettings,
};

/**
 * Environment variables that are no settings of Lectern: Node.js, libc and our dependencies read
 * them.
 */
const variablesOfDependencies = new Set([
  'NODE_ENV',
  'APOLLO_TELEMETRY_DISABLED',
  'ORT_DISABLE_TELEMETRY',
  'MALLOC_ARENA_MAX',
  'MALLOC_TRIM_THRESHOLD_',
]);

/**
 * Parses environment variables as the process of an image does. Throws an error that names the
 * variables that the process does not know or does not accept.
 */
export function parseEnvironment(image: string, env: Readonly<Record<string, string>>): Record<string, unknown> {
  const settings = settingsOf[image];
  if (!settings) throw new Error(`there is no image ${image}`);
  const unknown = Object.keys(env).filter((name) => !(name in settings) && !variablesOfDependencies.has(name));
  if (unknown.length > 0) throw new Error(`${image} does not read ${unknown.join(', ')}`);
  const throwOnErrors = ({ errors }: { errors: Readonly<Record<string, unknown>> }) => {
    if (Object.keys(errors).length > 0) throw new Error(`${image} cannot read ${Object.keys(errors).join(', ')}`);
  };
  // Returns a copy, because the object of envalid throws an error when Jest reads other properties.
  return { ...cleanEnv(env, settings, { reporter: throwOnErrors }) };
}

const examples: Readonly<Record<string, string>> = {
  METRICS_PORT: '9464',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example.org:4318',
  OTEL_TRACES_SAMPLER: 'always_on',
  OTEL_TRACES_SAMPLER_ARG: '0.5',
  LOG_LEVEL: 'debug',
  SUPERGRAPH_HEADERS: 'X-Registry-Key=value',
  SMTP_URL: 'smtp://mail.example.org',
  MAIL_FROM: 'keys@example.org',
  TRUSTED_PROXIES: '10.0.0.0/8',
  DATABASE_URL: 'postgres://database.example.org/lectern',
  LECTERN_READER_URL: 'https://reader.example.org',
  REDIS_URL: 'rediss://redis.example.org',
};

/**
 * Returns a valid value of a setting for tests. Settings without an entry in `examples` are
 * secrets.
 */
export const exampleOf = (name: string): string => examples[name] ?? 'x'.repeat(40);

/** Parses a value of SUBGRAPH_URLS, such as `text=http://text:4001/graphql,search=...`. */
export const subgraphUrls = (setting: string): { name: string; url: URL }[] =>
  setting.split(',').map((pair) => {
    const [name = '', url = ''] = pair.split(/=(.*)/s);
    return { name, url: new URL(url) };
  });

/**
 * Returns how many seconds a process takes at most from SIGTERM to its exit. The process accepts
 * requests for the default of DRAIN_MS. Then it has a fixed time to finish requests and close
 * files.
 */
export function maxStopSeconds(): number {
  const source = readFileSync(join(repositoryRoot, 'packages/serving/src/process.ts'), 'utf8');
  const [, text = ''] = /[sS]topWithinMs = ([\d_]+)/.exec(source) ?? [];
  const drainMs = gatewaySettings.DRAIN_MS.default;
  if (text === '' || drainMs === undefined) throw new Error('the time for stopping or DRAIN_MS has no default');
  return (Number(text.replaceAll('_', '')) + drainMs) / 1_000;
}
