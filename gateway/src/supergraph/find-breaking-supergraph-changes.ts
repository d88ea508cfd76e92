import type { GraphQLSchema } from 'graphql';
import { findBreakingChanges } from 'graphql';

interface ComparedGraph {
  readonly schema: GraphQLSchema;
  readonly subgraphs: ReadonlyMap<string, string>;
}

/** The parts that a new supergraph lacks, or has changed so that operations of clients may fail. */
export interface BreakingSupergraphChanges {
  readonly removedSubgraphs: readonly string[];
  /** Sentences such as "Query.search was removed.", at most `maxChanges`. */
  readonly breakingChanges: readonly string[];
}

/** The maximum number of changes in one log line. */
const maxChanges = 100;

/**
 * Compares the graph of a new supergraph with that of the old supergraph. Returns null if there is
 * no breaking change. A valid supergraph may lack a subgraph by mistake, for example if it was
 * composed from half of the files.
 */
export function findBreakingSupergraphChanges(
  old: ComparedGraph,
  next: ComparedGraph,
): BreakingSupergraphChanges | null {
  const removedSubgraphs = [...old.subgraphs.keys()].filter((name) => !next.subgraphs.has(name));
  const breakingChanges = findBreakingChanges(old.schema, next.schema)
    .slice(0, maxChanges)
    .map(({ description }) => description);
  return removedSubgraphs.length + breakingChanges.length === 0 ? null : { removedSubgraphs, breakingChanges };
}
