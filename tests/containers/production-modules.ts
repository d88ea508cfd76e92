import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';

interface LockEntry {
  readonly link?: boolean;
  /** The folder to which a link points, such as `packages/keys`. */
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>;
}

export interface ProductionModules {
  /** The folders of packages from the npm registry, such as node_modules/graphql. */
  readonly packages: readonly string[];
  /**
   * The links to packages of this repository, such as node_modules/@lectern/keys -> packages/keys.
   */
  readonly links: ReadonlyMap<string, string>;
}

/**
 * Lists the folders and links that `npm ci --omit=dev -w` creates for a package, by
 * package-lock.json. Also lists the optional packages for other platforms, which npm leaves out.
 */
export function productionModules(packageFolder: string): ProductionModules {
  const { packages: locked } = JSON.parse(readFileSync(join(repositoryRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  const links = new Map<string, string>();
  const seen = new Set([packageFolder]);
  // The loop also visits the elements that it adds to the set.
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

/**
 * Finds a package as Node.js does: in the node_modules of the folder `from`, then of its parents.
 */
function resolve(name: string, from: string, locked: Record<string, LockEntry>): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (locked[place]) return place;
    if (folder === '.') return null;
  }
}
