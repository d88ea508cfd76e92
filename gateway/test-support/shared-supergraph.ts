import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Supergraph } from '@apollo/federation-internals';

export const supergraphSdl = readFileSync(join(__dirname, '..', '..', 'supergraph.graphql'), 'utf8');

// Each gateway that a test starts would build the repository's supergraph twice, which takes a third of its start.
// Here a test process builds it once and uses it again. That is safe, because no code changes a supergraph once built.
const build = Supergraph.build.bind(Supergraph);
const built = new Map<boolean | undefined, Supergraph>();

Supergraph.build = (sdl, options) => {
  if (sdl !== supergraphSdl || options?.supportedFeatures !== undefined) return build(sdl, options);
  const known = built.get(options?.validateSupergraph) ?? build(sdl, options);
  built.set(options?.validateSupergraph, known);
  return known;
};
