import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';
import { parse } from 'yaml';

export interface ComposeService {
  readonly image: string;
  readonly build?: { readonly context: string; readonly target: string };
  readonly user?: string;
  readonly profiles?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  /**
   * Environment variables of the service. Null means that Compose takes the value from .env or from
   * its own environment.
   */
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly networks?: readonly string[];
  readonly network_mode?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly restart?: string;
  readonly stop_grace_period?: string;
  readonly read_only?: boolean;
  readonly init?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly deploy?: { readonly replicas: number };
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

export const readCompose = (): ComposeFile =>
  parse(readFileSync(join(repositoryRoot, 'docker-compose.yml'), 'utf8'), { merge: true }) as ComposeFile;

/**
 * Returns the value that Compose passes if .env is empty: the default in place of
 * `${NAME:-default}`, and `$` in place of the escaped `$$`.
 */
export const withoutDotEnv = (value: string): string =>
  value.replace(/\$\{\w+:-([^}]*)\}/g, '$1').replaceAll('$$', '$');

/**
 * Returns the environment variables that docker-compose.yml sets for a service if .env is empty.
 * The container also has the environment variables of its image.
 */
export function environmentOf({ environment = {} }: ComposeService): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === null ? [] : [[name, withoutDotEnv(value)]])),
  );
}
