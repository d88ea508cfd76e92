import { createRequire } from 'node:module';
import { AwsClient } from 'aws4fetch';
import { failure, usageError } from '../command-line.mjs';

const { parseSupergraphHeaders } = createRequire(import.meta.url)('../../gateway/dist/supergraph/settings.js');

const timeoutMs = 30_000;
const maxBytes = 20_000_000;
/**
 * The maximum number of attempts of a request. The server may close an idle connection while the
 * supergraph is composed. If the first attempt of a conditional write has succeeded without a
 * response, the second fails its condition: the publish reads the registry again and finds its change.
 */
const maxAttempts = 3;
/**
 * The statuses of a conditional request whose condition failed. S3 responds 409 if two requests write
 * at once, and 404 if the object was removed.
 */
const conditionFailed = new Set([404, 409, 412]);
const probeFile = 'conditional-requests';

/**
 * Opens a server that stores files with PUT and honours If-Match, such as a bucket.
 *
 * @param {string} location begins with http:, https:, s3+http: or s3+https:
 * @param {NodeJS.ProcessEnv} env
 * @returns {import('./open-registry.mjs').FileStore}
 */
export function openHttpStore(location, env) {
  const { url, credentials } = parseLocation(location, env);
  const headers = readHeaders(env);
  const name = `${url.origin}${url.pathname}`;
  const fetchSigned = createFetch(location.startsWith('s3+'), env);

  const send = async (file, init = {}) => {
    const target = `${name}${name.endsWith('/') ? '' : '/'}${file}`;
    const options = {
      ...init,
      headers: { 'accept-encoding': 'identity', ...credentials, ...headers, ...init.headers },
      signal: AbortSignal.timeout(timeoutMs),
    };
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await fetchSigned(target, { ...options, redirect: 'manual' });
        return { target, response, text: await readBody(response, target) };
      } catch (error) {
        if (error.exitStatus !== undefined) throw error;
        if (attempt === maxAttempts || error.name === 'TimeoutError')
          throw failure(`${target}: no response (${error.cause?.message ?? error.message}).`);
      }
    }
  };
  const put = (file, text, condition) =>
    send(file, { method: 'PUT', body: text, headers: { 'content-type': contentType(file), ...condition } });

  /** Throws if the server ignores If-Match: then two services that publish at once would overwrite each other. */
  const requireConditions = async () => {
    const { target, response } = await put(probeFile, 'A test of If-Match.\n', { 'if-match': '"no-such-version"' });
    if (response.ok)
      throw failure(
        `${target}: the server ignores If-Match, so two services that publish at once would lose a schema.`,
      );
    if (!conditionFailed.has(response.status)) throw unexpected(target, response.status);
  };

  return {
    name,
    async read(file) {
      const { target, response, text } = await send(file);
      if (response.status === 404) return null;
      if (response.status !== 200) throw unexpected(target, response.status);
      const version = response.headers.get('etag');
      if (!version) throw failure(`${target}: the response has no ETag, which publishing needs.`);
      return { text, version: version.replace(/^W\//, '') };
    },
    async write(files) {
      await requireConditions();
      for (const { file, text, version } of files) {
        const { target, response } = await put(file, text, conditionFor(version));
        if (version !== undefined && conditionFailed.has(response.status)) return false;
        if (!response.ok) throw unexpected(target, response.status);
      }
      return true;
    },
  };
}

function conditionFor(version) {
  if (version === undefined) return {};
  return version === null ? { 'if-none-match': '*' } : { 'if-match': version };
}

const contentType = (file) => (file.endsWith('.json') ? 'application/json' : 'text/plain; charset=utf-8');

function unexpected(target, status) {
  const advice =
    status === 401 || status === 403
      ? ' Check SCHEMA_REGISTRY_HEADERS or the AWS keys. S3 also responds 403 to a missing object if the key may not list the bucket.'
      : '';
  return failure(`${target}: the response has the status ${status}.${advice}`);
}

async function readBody(response, target) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw failure(`${target}: the response has more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseLocation(location, env) {
  const text = location.replace(/^s3\+/, '');
  if (!URL.canParse(text)) throw usageError('SCHEMA_REGISTRY is not a valid URL. See --help.');
  const url = new URL(text);
  const { username, password } = url;
  if (location.startsWith('s3+') && !(env.AWS_ACCESS_KEY_ID && env.AWS_SECRET_ACCESS_KEY))
    throw usageError('s3+https: needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  if (username === '' && password === '') return { url, credentials: {} };
  const basic = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  return { url, credentials: { authorization: `Basic ${basic}` } };
}

function readHeaders(env) {
  try {
    return parseSupergraphHeaders(env.SCHEMA_REGISTRY_HEADERS ?? '', 'SCHEMA_REGISTRY_HEADERS');
  } catch (error) {
    throw usageError(error.message);
  }
}

/** Returns the function that sends requests: for S3 one that signs them, else `fetch`. */
function createFetch(isS3, env) {
  if (!isS3) return fetch;
  const client = new AwsClient({
    accessKeyId: env.AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? '',
    ...(env.AWS_SESSION_TOKEN && { sessionToken: env.AWS_SESSION_TOKEN }),
    service: 's3',
    region: env.AWS_REGION || env.AWS_DEFAULT_REGION || 'us-east-1',
    retries: 0,
  });
  return (url, init) => client.fetch(url, init);
}
