import { readFile, stat } from 'node:fs/promises';
import { request } from 'undici';

/** A supergraph as it was found, with what tells it from another without comparing the text. */
export interface FoundSupergraph {
  readonly sdl: string;
  readonly version: string;
}

/** Where the supergraph is. `read` rejects when it cannot be had; null means that it is still the one of this version. */
export interface SupergraphSource {
  /** For people: without what stands before the @ of a URL. */
  readonly name: string;
  read(known: string | null): Promise<FoundSupergraph | null>;
}

const deadlineMs = 5_000;
const mostBytes = 16 * 1024 * 1024;

/** A file, or a URL that begins with http. */
export const supergraphSource = (place: string): SupergraphSource =>
  /^https?:\/\//i.test(place) ? atUrl(place) : inFile(place);

function inFile(file: string): SupergraphSource {
  return {
    name: file,
    async read(known) {
      try {
        // Through links: where the folder is mounted from elsewhere, a new file is a link that points elsewhere.
        const { mtimeMs, size, ino } = await stat(file);
        const version = `${mtimeMs} ${size} ${ino}`;
        return version === known ? null : { version, sdl: await readFile(file, 'utf8') };
      } catch (error) {
        throw new Error(
          `Cannot read the supergraph ${file} (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}). Make it with: npm run compose`,
          { cause: error },
        );
      }
    },
  };
}

function atUrl(url: string): SupergraphSource {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  const name = shown.href;
  return {
    name,
    async read(known) {
      const { statusCode, headers, body } = await request(url, {
        headers: {
          accept: 'text/plain, application/graphql, */*',
          ...(known !== null && known.startsWith('etag ') && { 'if-none-match': known.slice('etag '.length) }),
        },
        signal: AbortSignal.timeout(deadlineMs),
      }).catch((error: unknown) => {
        throw new Error(
          `Cannot fetch the supergraph from ${name} (${error instanceof Error ? error.message : String(error)}).`,
          { cause: error },
        );
      });
      if (statusCode === 304) {
        await body.dump();
        return null;
      }
      if (statusCode !== 200) {
        await body.dump();
        throw new Error(`Cannot fetch the supergraph from ${name}: it answers ${statusCode}.`);
      }
      const sdl = await textWithin(body, name);
      const { etag } = headers;
      const version = typeof etag === 'string' ? `etag ${etag}` : `text ${sdl}`;
      return version === known ? null : { sdl, version };
    },
  };
}

async function textWithin(body: AsyncIterable<Buffer>, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`What ${name} answers is too large to be a supergraph.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
