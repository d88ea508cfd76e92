import { readFile, stat } from 'node:fs/promises';
import { errorMessage } from '@lectern/serving';
import { request } from 'undici';

/** A text, and its version: the file's time and size, or the URL's ETag. */
export interface FoundText {
  readonly text: string;
  readonly version: string;
}

export interface TextSource {
  /** The file or URL, without a URL's user and password. */
  readonly name: string;
  /**
   * Reads the text. Returns null if the text still has the known version. Rejects if the text cannot
   * be read or is too large.
   */
  read(knownVersion: string | null): Promise<FoundText | null>;
}

interface TextSourceOptions {
  /** A file path, or a URL that begins with http. */
  location: string;
  /** What the text is, for messages: `supergraph`. */
  noun: string;
  /** A sentence for an operator whose file cannot be read. */
  hint: string;
  maxBytes: number;
}

const deadlineMs = 5_000;

/** Opens the source of a supergraph. `location` is a file path, or a URL that begins with http. */
export const openSupergraphSource = (location: string): TextSource =>
  createTextSource({
    location,
    noun: 'supergraph',
    hint: 'Make it with: npm run compose',
    maxBytes: 16 * 1024 * 1024,
  });

/** The maximum size of a manifest. Parsing blocks the event loop for up to 8 ms per megabyte. */
const maxManifestBytes = 5_000_000;

/** Opens the source of a manifest of trusted documents, a file path or a URL. */
export const openManifestSource = (location: string): TextSource =>
  createTextSource({
    location,
    noun: 'manifest of trusted documents',
    hint: 'Name a readable file.',
    maxBytes: maxManifestBytes,
  });

/** Creates the source of a text that may be replaced while the process runs. */
const createTextSource = (options: TextSourceOptions): TextSource =>
  /^https?:\/\//i.test(options.location) ? createUrlSource(options) : createFileSource(options);

const tooLarge = (name: string, { noun, maxBytes }: TextSourceOptions): Error =>
  new Error(`${name} is too large to be a ${noun}: it may have at most ${maxBytes} bytes.`);

function createFileSource(options: TextSourceOptions): TextSource {
  const { location: file, noun, hint, maxBytes } = options;
  return {
    name: file,
    async read(knownVersion) {
      try {
        // `stat` follows links. In a mounted Kubernetes folder, a new file is a link with a new
        // target.
        const { mtimeMs, size, ino } = await stat(file);
        const version = `${mtimeMs} ${size} ${ino}`;
        if (version === knownVersion) return null;
        if (size > maxBytes) throw tooLarge(file, options);
        return { version, text: await readFile(file, 'utf8') };
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === undefined) throw error;
        throw new Error(`Cannot read the ${noun} ${file} (${code}). ${hint}`, { cause: error });
      }
    },
  };
}

function createUrlSource(options: TextSourceOptions): TextSource {
  const { noun, maxBytes } = options;
  const { url, authorization } = parseUrl(options);
  return {
    name: url,
    async read(knownVersion) {
      const headers = {
        accept: 'application/json, text/plain, application/graphql, */*',
        ...(authorization !== null && { authorization }),
        ...(knownVersion?.startsWith('etag ') && { 'if-none-match': knownVersion.slice('etag '.length) }),
      };
      const { statusCode, etag, text } = await fetchText(url, headers, maxBytes).catch((error: unknown) => {
        throw new Error(`Cannot fetch the ${noun} from ${url} (${errorMessage(error)}).`, { cause: error });
      });
      if (statusCode === 304) return null;
      if (statusCode !== 200)
        throw new Error(`Cannot fetch the ${noun} from ${url}: the response has the status ${statusCode}.`);
      if (text === null) throw tooLarge(`The response of ${url}`, options);
      const version = typeof etag === 'string' ? `etag ${etag}` : `text ${text}`;
      return version === knownVersion ? null : { text, version };
    },
  };
}

/** Separates the user and the password from the URL. Throws if the location is not a URL. */
function parseUrl({ location, noun }: TextSourceOptions): { url: string; authorization: string | null } {
  if (!URL.canParse(location))
    throw new Error(`The location of the ${noun} begins with http, but is not a URL. Correct it, or name a file.`);
  const url = new URL(location);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  if (username === '' && password === '') return { url: url.href, authorization: null };
  const credentials = Buffer.from(`${decode(username)}:${decode(password)}`);
  return { url: url.href, authorization: `Basic ${credentials.toString('base64')}` };
}

/** Decodes percent-encoded characters. A text with a bare % is returned as it is. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Fetches a text. The text is null unless the status is 200 and the text has at most `maxBytes`. */
async function fetchText(url: string, headers: Record<string, string>, maxBytes: number) {
  const response = await request(url, { headers, signal: AbortSignal.timeout(deadlineMs) });
  const { statusCode, body } = response;
  const { etag } = response.headers;
  if (statusCode === 200) return { statusCode, etag, text: await readText(body, maxBytes) };
  await body.dump();
  return { statusCode, etag, text: null };
}

/** Returns null if the text has more bytes. */
async function readText(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
