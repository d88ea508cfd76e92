import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Supergraph } from '@apollo/federation-internals';

export const supergraphSdl = readFileSync(join(__dirname, '..', '..', 'supergraph.graphql'), 'utf8');

// Every gateway that a test process starts would build the supergraph of this version twice, in a
// third of the time of its start. The processes build it once, because nothing changes what was built.
const build = Supergraph.build.bind(Supergraph);
const built = new Map<boolean | undefined, Supergraph>();

Supergraph.build = (sdl, options) => {
  if (sdl !== supergraphSdl || options?.supportedFeatures !== undefined) return build(sdl, options);
  const known = built.get(options?.validateSupergraph) ?? build(sdl, options);
  built.set(options?.validateSupergraph, known);
  return known;
};
