import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ExplorerBundleFile {
  /** Carries a digest of the content, so that what once was under a name is there for good. */
  readonly name: string;
  /** Reads it from the disk, as it is and compressed. */
  load(): { plain: Buffer; gzip: Buffer; brotli: Buffer };
}

export interface ExplorerBundle {
  /** The name of the page's script, a module, and of its style sheet. Scripts look for one another under /explorer/. */
  readonly script: string;
  readonly style: string;
  readonly files: readonly ExplorerBundleFile[];
}

/** Seen from source and from dist alike. */
const folder = join(__dirname, '..', '..', 'dist', 'assets');

/** What `bundle.mjs` has made of the browser's side. Throws when it never ran. */
export function readExplorerBundle(): ExplorerBundle {
  const { script, style, files } = JSON.parse(readManifest()) as { script: string; style: string; files: string[] };
  const read = (name: string) => readFileSync(join(folder, name));
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
    return readFileSync(join(folder, 'manifest.json'), 'utf8');
  } catch (error) {
    throw new Error('The explorer is not built: run `npm run build`.', { cause: error });
  }
}
