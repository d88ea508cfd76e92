import { readFile, stat } from 'node:fs/promises';
import { errorMessage } from '@lectern/serving';
import { request } from 'undici';
import { isHttpLocation } from '../supergraph/settings';

export interface FoundText {
  readonly text: string;
  /** The modification time, size and inode of a file, or the ETag of a URL, or the text itself if there is no ETag. */
  readonly version: string;
  /** The Last-Modified time of a URL, in milliseconds since 1970. Null if unknown, and for a file. */
  readonly modifiedAt: number | null;
}

export interface TextSource {
  /** The file, or the URL without user, password and query, because the query may contain a signature. */
  readonly name: string;
  readonly isUrl: boolean;
  /** Reads the text. Resolves with null if its version is still `knownVersion`. Rejects if the text is too large. */
  read(knownVersion: string | null): Promise<FoundText | null>;
}

interface TextSourceOptions {
  /** A file path, or a URL that begins with http. */
  location: string;
  /** The kind of text for error messages, such as `supergraph`. */
  noun: string;
  /** A sentence that tells an operator what to do if the file cannot be read. */
  hint: string;
  /** The headers of requests to a URL, such as a registry's key. */
  headers?: Readonly<Record<string, string>>;
  /** The names of the settings with credentials, for the error if the server rejects the request. */
  credentials: string;
  maxBytes: number;
}

const deadlineMs = 5_000;

/** In bytes. Loading a supergraph blocks the event loop for 1.2 seconds per megabyte. */
const maxSupergraphBytes = 2_000_000;

export const openSupergraphSource = (location: string, headers: Readonly<Record<string, string>> = {}): TextSource =>
  createTextSource({
    location,
    headers,
    credentials: 'SUPERGRAPH_HEADERS, and the user and password in SUPERGRAPH',
    noun: 'supergraph',
    hint: 'Make it with: npm run compose',
    maxBytes: maxSupergraphBytes,
  });

/** The maximum size of a manifest, in bytes. Parsing a manifest blocks the event loop for up to 8 ms per megabyte. */
const maxManifestBytes = 5_000_000;

export const openManifestSource = (location: string): TextSource =>
  createTextSource({
    location,
    credentials: 'the user and password in TRUSTED_DOCUMENTS',
    noun: 'manifest of trusted documents',
    hint: 'Name a readable file.',
    maxBytes: maxManifestBytes,
  });

const createTextSource = (options: TextSourceOptions): TextSource =>
  isHttpLocation(options.location) ? createUrlSource(options) : createFileSource(options);

const tooLarge = (name: string, { noun, maxBytes }: TextSourceOptions): Error =>
  new Error(`${name} is too large to be a ${noun}: it may have at most ${maxBytes} bytes.`);

function createFileSource(options: TextSourceOptions): TextSource {
  const { location: file, noun, hint, maxBytes } = options;
  return {
    name: file,
    isUrl: false,
    async read(knownVersion) {
      try {
        // In a volume of Kubernetes, the file is a link through the link `..data`, which an update points to a new
        // folder. `stat` follows both, so the version changes.
        const { mtimeMs, size, ino } = await stat(file);
        const version = `${mtimeMs} ${size} ${ino}`;
        if (version === knownVersion) return null;
        if (size > maxBytes) throw tooLarge(file, options);
        return { version, text: await readFile(file, 'utf8'), modifiedAt: null };
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
  const { url, name, authorization } = parseUrl(options);
  return {
    name,
    isUrl: true,
    async read(knownVersion) {
      const headers = {
        accept: 'application/json, text/plain, application/graphql, */*',
        ...(authorization !== null && { authorization }),
        ...options.headers,
        ...(knownVersion?.startsWith('etag ') && { 'if-none-match': knownVersion.slice('etag '.length) }),
      };
      const found = await fetchText(url, headers, maxBytes).catch((error: unknown) => {
        throw new Error(`Cannot fetch the ${noun} from ${name} (${errorMessage(error)}).`, { cause: error });
      });
      const { statusCode, etag, text } = found;
      if (statusCode === 304) return null;
      if (statusCode !== 200)
        throw new Error(
          `Cannot fetch the ${noun} from ${name}: the response has the status ${statusCode}.${adviceFor(statusCode, options)}`,
        );
      if (text === null) throw tooLarge(`The response of ${name}`, options);
      if (/^\s*</.test(text))
        throw new Error(`The response of ${name} is an HTML or XML page, not a ${noun}. Check the URL.`);
      const version = typeof etag === 'string' ? `etag ${etag}` : `text ${text}`;
      return version === knownVersion ? null : { text, version, modifiedAt: found.modifiedAt };
    },
  };
}

const adviceFor = (statusCode: number, { credentials }: TextSourceOptions): string => {
  if (statusCode === 401 || statusCode === 403) return ` Check ${credentials}.`;
  return statusCode >= 300 && statusCode < 400 ? ' Redirects are not followed: name the final URL.' : '';
};

/** Separates the user and the password from the URL, and returns them as the value of an Authorization header. */
function parseUrl({ location, noun }: TextSourceOptions) {
  if (!URL.canParse(location))
    throw new Error(`The location of the ${noun} begins with http, but is not a URL. Correct it, or name a file.`);
  const url = new URL(location);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const name = `${url.origin}${url.pathname}`;
  if (username === '' && password === '') return { url: url.href, name, authorization: null };
  const credentials = Buffer.from(`${decode(username)}:${decode(password)}`);
  return { url: url.href, name, authorization: `Basic ${credentials.toString('base64')}` };
}

/** Decodes percent-encoded characters. If the percent-encoding is invalid, returns the text unchanged. */
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
  const { statusCode, headers: received, body } = response;
  const modifiedAt = Date.parse(String(received['last-modified'])) || null;
  if (statusCode !== 200) await body.dump();
  const text = statusCode === 200 ? await readText(body, maxBytes) : null;
  return { statusCode, etag: received.etag, modifiedAt, text };
}

/** Reads a body as text. Resolves with null if the body has more than `maxBytes`. */
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
