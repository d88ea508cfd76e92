import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StaticFile } from '../static-files';

/** The files that `bundle-explorer.mjs` built. */
export interface ExplorerBundle {
  /**
   * The file name of the page's script, an ES module. The script loads further files of the bundle
   * from `/explorer/`.
   */
  readonly script: string;
  /** The file name of the page's style sheet. */
  readonly style: string;
  /**
   * The files of the bundle. Each name carries a digest of the file's content, so browsers may
   * cache the file forever.
   */
  readonly files: readonly StaticFile[];
}

/** The relative path is the same from `src`, where tests run this file, and from `dist`. */
const bundleFolder = join(__dirname, '..', '..', 'dist', 'assets');

/** Reads the bundle's manifest. Throws if the explorer is not built. */
export function readExplorerBundle(): ExplorerBundle {
  const { script, style, files } = JSON.parse(readManifest()) as { script: string; style: string; files: string[] };
  const read = (name: string) => readFileSync(join(bundleFolder, name));
  return {
    script,
    style,
    files: files.map((name) => ({
      name,
      load: () => ({ plain: read(name), gzip: read(`${name}.gz`), brotli: read(`${name}.br`) }),
    })),
  };
}

function readManifest(): string {
  try {
    return readFileSync(join(bundleFolder, 'manifest.json'), 'utf8');
  } catch (error) {
    throw new Error('The explorer is not built: run `npm run build`.', { cause: error });
  }
}
