import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { messageOf } from '../translation';
import { type FetchOptions, installModule, type SourceModule, withWorkFolder } from './modules';

/** The URL of eBible.org's SWORD modules. LECTERN_TEXT_MIRROR can name another folder with the same files. */
const defaultMirror = 'https://ebible.org/sword/zip/';

const maxZipBytes = 32_000_000;
const maxUnpackedBytes = 128_000_000;
const downloadMs = 3 * 60_000;
const maxRedirects = 5;

/** Downloads modules as zip files. Returns one error message for each module that failed. */
export async function fetchFromEbible(modules: readonly SourceModule[], options: FetchOptions): Promise<string[]> {
  const errors: string[] = [];
  for (const wanted of modules) errors.push(...(await fetchModule(wanted, options)));
  return errors;
}

async function fetchModule(wanted: SourceModule, { dataDir, env, log }: FetchOptions): Promise<string[]> {
  const base = env['LECTERN_TEXT_MIRROR'] || defaultMirror;
  const url = new URL(`${wanted.module}.zip`, base.endsWith('/') ? base : `${base}/`).href;
  log(`fetching ${url}`);
  return withWorkFolder(dataDir, wanted.module, async (work) => {
    await unpack(await download(url), work);
    return installModule(work, wanted, dataDir, url);
  }).catch((error: unknown) => [`${url}: ${describe(error)}`]);
}

async function download(url: string): Promise<Buffer> {
  const response = await follow(url, AbortSignal.timeout(downloadMs));
  const announced = response.headers.get('content-length');
  if (Number(announced ?? 0) > maxZipBytes)
    throw new Error(`the file has ${announced} bytes, and the maximum is ${maxZipBytes}`);
  if (!response.body) throw new Error('the response is empty');
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxZipBytes) throw new Error(`it is longer than ${maxZipBytes} bytes`);
  }
  if (announced !== null && !response.headers.has('content-encoding') && size !== Number(announced))
    throw new Error(`only ${size} of ${announced} bytes arrived`);
  return Buffer.concat(chunks);
}

/** Fetches a URL. Follows redirects itself, because `fetch` also follows a redirect from HTTPS to HTTP. */
async function follow(url: string, signal: AbortSignal): Promise<Response> {
  let current = url;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const response = await fetch(current, { redirect: 'manual', signal });
    const next = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || next === null) {
      if (response.ok) return response;
      throw new Error(`HTTP ${response.status}`);
    }
    const target = new URL(next, current);
    if (new URL(current).protocol === 'https:' && target.protocol !== 'https:')
      throw new Error(`it leads to ${target.href}, which is not HTTPS`);
    await response.body?.cancel();
    current = target.href;
  }
  throw new Error(`more than ${maxRedirects} redirects`);
}

/** yauzl rejects a file whose size is not that of the zip file's directory, and a path out of the folder. */
async function unpack(zip: Buffer, folder: string): Promise<void> {
  const opened = await fromBufferPromise(zip).catch((error: unknown) => {
    throw new Error(`invalid zip file (${messageOf(error)})`, { cause: error });
  });
  let content = 0;
  for await (const entry of opened.eachEntry()) {
    content += entry.uncompressedSize;
    if (content > maxUnpackedBytes) throw new Error(`it unpacks to more than ${maxUnpackedBytes} bytes`);
    if (entry.fileName.endsWith('/')) continue;
    const file = join(folder, entry.fileName);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await buffer(await opened.openReadStreamPromise(entry)));
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return error.name === 'TimeoutError' ? `no response within ${downloadMs / 1000} seconds` : `${error.message}${cause}`;
}
