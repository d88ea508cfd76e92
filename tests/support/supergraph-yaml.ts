import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';
import type { ValidatorSpec } from 'envalid';
import { parse, stringify } from 'yaml';

/** A subgraph that supergraph.yaml lists. */
export interface RepositorySubgraph {
  readonly name: string;
  /** The folder of the subgraph, relative to the repository's root, such as `services/text`. */
  readonly folder: string;
  /** The absolute path of the subgraph's schema. */
  readonly schemaFile: string;
  /** The subgraph's URL in the supergraph. */
  readonly routingUrl: string;
}

interface SupergraphList {
  federation_version: string;
  subgraphs: Record<string, { routing_url: string; schema: { file: string } }>;
}

const { federation_version, subgraphs } = parse(
  readFileSync(join(repositoryRoot, 'supergraph.yaml'), 'utf8'),
) as SupergraphList;

/** The subgraphs of this repository, in the order of supergraph.yaml. */
export const repositorySubgraphs: readonly RepositorySubgraph[] = Object.entries(subgraphs).map(
  ([name, { routing_url: url, schema }]) => ({
    name,
    folder: join('services', name),
    schemaFile: join(repositoryRoot, schema.file),
    routingUrl: url,
  }),
);

export const subgraphNames: readonly string[] = repositorySubgraphs.map(({ name }) => name);

/** Returns the settings that the process of a subgraph reads from its environment. */
export const settingsOfSubgraph = (name: string): Readonly<Record<string, ValidatorSpec<unknown>>> => {
  const { settings } = require(`@lectern/${name}`) as { settings: Readonly<Record<string, ValidatorSpec<unknown>>> };
  return settings;
};

/** Returns the text of a supergraph.yaml that lists only the subgraphs in `urls`. */
export const supergraphConfig = (urls: Readonly<Record<string, string>>): string =>
  stringify({
    federation_version,
    subgraphs: Object.fromEntries(
      repositorySubgraphs
        .filter(({ name }) => name in urls)
        .map(({ name, schemaFile }) => [name, { routing_url: urls[name], schema: { file: schemaFile } }]),
    ),
  });
