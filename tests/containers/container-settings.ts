import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settings as concordanceSettings } from '@lectern/concordance';
import { settings as gatewaySettings } from '@lectern/gateway';
import { settings as searchSettings } from '@lectern/search';
import { settings as standaloneSettings } from '@lectern/standalone';
import { repositoryRoot } from '@lectern/testing';
import { settings as textSettings } from '@lectern/text';
import type { ValidatorSpec } from 'envalid';
import { cleanEnv } from 'envalid';

type Settings = Readonly<Record<string, ValidatorSpec<unknown>>>;

/** What the process of each image reads from its environment. */
export const settingsOf: Readonly<Record<string, Settings>> = {
  gateway: gatewaySettings,
  text: textSettings,
  search: searchSettings,
  concordance: concordanceSettings,
  lectern: standaloneSettings,
  data: standaloneSettings,
};

/** Names in an environment that are read by what is below us: node, and what it runs. */
export const readBelow = ['NODE_ENV', 'APOLLO_TELEMETRY_DISABLED', 'ORT_DISABLE_TELEMETRY'];

/** The values that a process would go by. Throws with the names of those that make no sense to it. */
export function readAs(target: string, env: Readonly<Record<string, string>>): Record<string, unknown> {
  const settings = settingsOf[target];
  if (!settings) throw new Error(`there is no process ${target}`);
  const unknown = Object.keys(env).filter((name) => !(name in settings) && !readBelow.includes(name));
  if (unknown.length > 0) throw new Error(`${target} reads no ${unknown.join(', ')}`);
  const refuse = ({ errors }: { errors: Readonly<Record<string, unknown>> }) => {
    if (Object.keys(errors).length > 0) throw new Error(`${target} cannot read ${Object.keys(errors).join(', ')}`);
  };
  // A copy: the original throws when asked for what it does not have.
  return { ...cleanEnv(env, settings, { reporter: refuse }) };
}

const examples: Readonly<Record<string, string>> = {
  LOG_LEVEL: 'debug',
  SMTP_URL: 'smtp://mail.example.org',
  MAIL_FROM: 'keys@example.org',
  TRUSTED_PROXIES: '10.0.0.0/8',
  DATABASE_URL: 'postgres://database.example.org/lectern',
  REDIS_URL: 'rediss://redis.example.org',
};

/** What somebody could give a setting that is filled in elsewhere: a secret, where nothing else is asked for. */
export const givenTo = (name: string): string => examples[name] ?? 'x'.repeat(40);

/** The setting SUBGRAPH_URLS as the pairs that it is made of. */
export const subgraphUrls = (setting: string): { name: string; url: URL }[] =>
  setting.split(',').map((pair) => {
    const [name = '', url = ''] = pair.split(/=(.*)/s);
    return { name, url: new URL(url) };
  });

/** For how long a process that is told to stop lets requests under way finish. */
export function drainSeconds(): number {
  const source = readFileSync(join(repositoryRoot, 'packages/serving/src/listen.ts'), 'utf8');
  const [, text = ''] = /defaultGraceMs = ([\d_]+);/.exec(source) ?? [];
  if (text === '') throw new Error('listen.ts no longer says for how long it drains');
  return Number(text.replaceAll('_', '')) / 1_000;
}
