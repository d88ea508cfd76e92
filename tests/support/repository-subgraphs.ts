import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';
import { parse } from 'yaml';

/** A subgraph that supergraph.yaml lists. */
export interface RepositorySubgraph {
  readonly name: string;
  /** The folder of its service, below the repository's root. */
  readonly folder: string;
  /** The absolute path of its schema. */
  readonly schemaFile: string;
  /** The port of its routing URL. */
  readonly port: string;
}

interface SupergraphList {
  subgraphs: Record<string, { routing_url: string; schema: { file: string } }>;
}

const { subgraphs } = parse(readFileSync(join(repositoryRoot, 'supergraph.yaml'), 'utf8')) as SupergraphList;

/** The subgraphs of this repository, in the order of supergraph.yaml. */
export const repositorySubgraphs: readonly RepositorySubgraph[] = Object.entries(subgraphs).map(
  ([name, { routing_url: url, schema }]) => ({
    name,
    folder: join('services', name),
    schemaFile: join(repositoryRoot, schema.file),
    port: new URL(url).port,
  }),
);

export const subgraphNames: readonly string[] = repositorySubgraphs.map(({ name }) => name);
