import { readFile, stat } from 'node:fs/promises';
import { errorMessage } from '@lectern/serving';
import { request } from 'undici';

/** A supergraph, and its version: the file's time and size, or the URL's ETag. */
export interface FoundSupergraph {
  readonly sdl: string;
  readonly version: string;
}

export interface SupergraphSource {
  /** The file or URL, without a URL's user and password. */
  readonly name: string;
  /**
   * Reads the supergraph. Returns null if the supergraph still has the known version. Rejects if
   * the supergraph cannot be read.
   */
  read(knownVersion: string | null): Promise<FoundSupergraph | null>;
}

const deadlineMs = 5_000;
const maxBytes = 16 * 1024 * 1024;

/**
 * Creates the source of a supergraph. `location` is a file path, or a URL that begins with http.
 */
export const createSupergraphSource = (location: string): SupergraphSource =>
  /^https?:\/\//i.test(location) ? createUrlSource(location) : createFileSource(location);

function createFileSource(file: string): SupergraphSource {
  return {
    name: file,
    async read(knownVersion) {
      try {
        // `stat` follows links. In a mounted Kubernetes folder, a new file is a link with a new
        // target.
        const { mtimeMs, size, ino } = await stat(file);
        const version = `${mtimeMs} ${size} ${ino}`;
        return version === knownVersion ? null : { version, sdl: await readFile(file, 'utf8') };
      } catch (error) {
        throw new Error(
          `Cannot read the supergraph ${file} (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}). Make it with: npm run compose`,
          { cause: error },
        );
      }
    },
  };
}

function createUrlSource(url: string): SupergraphSource {
  const shownUrl = new URL(url);
  shownUrl.username = '';
  shownUrl.password = '';
  const name = shownUrl.href;
  return {
    name,
    async read(knownVersion) {
      const { statusCode, headers, body } = await request(url, {
        headers: {
          accept: 'text/plain, application/graphql, */*',
          ...(knownVersion !== null &&
            knownVersion.startsWith('etag ') && { 'if-none-match': knownVersion.slice('etag '.length) }),
        },
        signal: AbortSignal.timeout(deadlineMs),
      }).catch((error: unknown) => {
        throw new Error(`Cannot fetch the supergraph from ${name} (${errorMessage(error)}).`, { cause: error });
      });
      if (statusCode === 304) {
        await body.dump();
        return null;
      }
      if (statusCode !== 200) {
        await body.dump();
        throw new Error(`Cannot fetch the supergraph from ${name}: the response has the status ${statusCode}.`);
      }
      const sdl = await readText(body, name);
      const { etag } = headers;
      const version = typeof etag === 'string' ? `etag ${etag}` : `text ${sdl}`;
      return version === knownVersion ? null : { sdl, version };
    },
  };
}

async function readText(body: AsyncIterable<Buffer>, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`The response of ${name} is too large to be a supergraph.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
