import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  createHeaderSecretCheck,
  createHealth,
  type Health,
  type Logger,
  pathOf,
  readBody,
  sendJson,
} from '@lectern/serving';
import { type Metrics, recordHttpRequests, silentMetrics } from '@lectern/telemetry';
import { type BuiltInEmbedder, builtInModel } from './built-in';
import { isEmbedderError } from './embedder';

const requestError = (status: number, code: string, message: string, headers: readonly string[] = []) =>
  Object.assign(new Error(message), { status, code, headers });
type RequestError = ReturnType<typeof requestError>;

const invalid = (message: string): RequestError => requestError(400, 'invalid_value', message);

/** The maximum number of texts in a request, which is that of OpenAI's API. */
const maxTexts = 2048;

/** Parses the body of `POST /v1/embeddings`. Throws a RequestError that says what is invalid. */
function parseEmbeddingsRequest(body: string) {
  const { model, input, encoding_format: format = 'float', dimensions = builtInModel.dimensions } = parseObject(body);
  if (model !== builtInModel.id)
    throw requestError(
      404,
      'model_not_found',
      `The model ${JSON.stringify(model ?? null)} is not served here; ${builtInModel.id} is.`,
    );
  if (dimensions !== builtInModel.dimensions) throw invalid(`dimensions can only be ${builtInModel.dimensions}`);
  if (format !== 'float' && format !== 'base64') throw invalid('encoding_format is "float" or "base64"');
  const texts: unknown[] = Array.isArray(input) ? input : [input];
  if (texts.length === 0 || texts.length > maxTexts) throw invalid(`input holds 1 to ${maxTexts} texts`);
  if (!texts.every((text) => typeof text === 'string'))
    throw invalid('input is a text or a list of texts (lists of tokens are not supported)');
  if (texts.includes('')) throw invalid('input holds an empty text');
  return { texts, isBase64: format === 'base64' };
}

function parseObject(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Invalid JSON is reported like JSON that is not an object.
  }
  throw invalid('the body is a JSON object with model and input');
}

interface EmbeddingsServerOptions {
  embedder: Pick<BuiltInEmbedder, 'embedTexts'>;
  health?: Pick<Health, 'respond'>;
  metrics?: Metrics;
  /** The key that clients must send as `Authorization: Bearer ...`. If it is absent, no key is needed. */
  apiKey?: string;
  log: Pick<Logger, 'warn' | 'error'>;
}

/** The maximum size of a request body in bytes, which is enough for 2,048 texts of 1,900 bytes. */
const maxBytes = 4_000_000;

const embeddingsPath = '/v1/embeddings';

/** The maximum time to receive a request, so that a slow client does not keep a connection. */
const requestTimeoutMs = 30_000;

/**
 * Creates an HTTP server that offers the built-in model as an OpenAI-compatible endpoint: POST /v1/embeddings, GET
 * /v1/models, GET /health and GET /ready. It adds no prefix to texts: clients write `query: ` or `passage: `
 * themselves.
 */
export function createEmbeddingsServer({
  embedder,
  apiKey,
  health = createHealth(),
  metrics = silentMetrics,
  log,
}: EmbeddingsServerOptions): Server {
  const rejectionOf =
    apiKey === undefined
      ? () => null
      : createHeaderSecretCheck({ name: 'authorization', secrets: [`Bearer ${apiKey}`] });

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (health.respond(request, response)) return;
    const path = pathOf(request.url ?? '');
    if (path !== embeddingsPath && path !== '/v1/models' && path !== `/v1/models/${builtInModel.id}`)
      throw requestError(404, 'unknown_url', `Nothing is served at ${path}. Send POST /v1/embeddings.`);
    // Checked before the body is read, so that nobody without the key can send a large body.
    if (rejectionOf(request) !== null) throw requestError(401, 'invalid_api_key', 'The API key is missing or invalid.');
    if (path !== embeddingsPath)
      return sendJson(response, 200, path === '/v1/models' ? { object: 'list', data: [description] } : description);
    if (request.method !== 'POST')
      throw requestError(405, 'method_not_supported', 'Send POST /v1/embeddings.', ['Allow', 'POST']);
    return embed(request, response);
  };

  const embed = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const read = await readBody(request, maxBytes);
    if (read.kind === 'too-long')
      throw requestError(413, 'request_too_large', `The request may have at most ${maxBytes} bytes.`);
    if (read.kind === 'broken-off') return void response.destroy();
    const { texts, isBase64 } = parseEmbeddingsRequest(read.body.toString('utf8'));
    const disconnected = new AbortController();
    response.once('close', () => disconnected.abort());
    const encoded = await embedder.embedTexts(texts, { signal: disconnected.signal });
    const tokens = encoded.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
    sendJson(response, 200, {
      object: 'list',
      data: encoded.map(({ vector }, index) => ({
        object: 'embedding',
        index,
        embedding: isBase64 ? base64Of(vector) : Array.from(vector),
      })),
      model: builtInModel.id,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    });
  };

  const server = createServer(
    { requestTimeout: requestTimeoutMs, headersTimeout: requestTimeoutMs },
    (request, response) => {
      // Ignored: a client that disconnects during a request is not an error.
      request.on('error', () => {});
      handle(request, response).catch((error: unknown) => {
        if (response.destroyed || response.headersSent) return;
        const { status, code, message, headers } = toRequestError(error);
        if (status >= 500) log.error({ err: error }, 'could not embed texts');
        if (!request.complete) response.setHeader('Connection', 'close');
        const type = status >= 500 ? 'server_error' : 'invalid_request_error';
        sendJson(response, status, { error: { message, type, param: null, code } }, headers);
      });
    },
  );
  recordHttpRequests(server, metrics, embeddingsPath);
  return server;
}

const description = { id: builtInModel.id, object: 'model', created: 0, owned_by: 'lectern' };

function toRequestError(error: unknown): RequestError {
  if (error instanceof Error && 'status' in error) return error as RequestError;
  if (isEmbedderError(error) && error.failure === 'busy')
    return requestError(429, 'rate_limit_exceeded', 'Too many texts wait. Retry in a second.', ['Retry-After', '1']);
  return requestError(500, 'internal_error', 'The model could not embed this.');
}

/** Little-endian floats in base64, as OpenAI's clients request. A quarter as long as digits. */
const base64Of = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');
