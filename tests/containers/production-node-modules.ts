import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';

interface LockEntry {
  readonly link?: boolean;
  /** The target folder of a link. */
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>;
}

export interface ProductionModules {
  /** Folders of packages from the registry, such as node_modules/graphql. */
  readonly packages: readonly string[];
  /** Links to our packages: node_modules/@lectern/keys -> packages/keys. */
  readonly links: ReadonlyMap<string, string>;
}

/** Lists what `npm ci --omit=dev -w` installs for a package, according to the lock file. */
export function productionModules(packageFolder: string): ProductionModules {
  const { packages: locked } = JSON.parse(readFileSync(join(repositoryRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  const links = new Map<string, string>();
  const seen = new Set([packageFolder]);
  // Iterating over a set includes the elements added meanwhile.
  for (const place of seen) {
    const {
      link = false,
      resolved = '',
      dependencies,
      optionalDependencies,
      peerDependencies,
      peerDependenciesMeta,
    } = locked[place] ?? {};
    if (link) {
      links.set(place, resolved);
      seen.add(resolved);
    }
    const wanted = [
      ...Object.keys(dependencies ?? {}),
      ...Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true),
    ];
    for (const name of wanted) {
      const found = resolve(name, place, locked);
      if (found !== null) seen.add(found);
      else if (!(name in (optionalDependencies ?? {})))
        throw new Error(`package-lock.json has no ${name} for ${place}`);
    }
    for (const name of Object.keys(optionalDependencies ?? {})) {
      const found = resolve(name, place, locked);
      if (found !== null) seen.add(found);
    }
  }
  return { packages: [...seen].filter((place) => place.includes('node_modules/') && !links.has(place)), links };
}

/** Resolves a package as node does: in the package's own node_modules, then in the parent folders. */
function resolve(name: string, from: string, locked: Record<string, LockEntry>): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (locked[place]) return place;
    if (folder === '.') return null;
  }
}
