import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Logger } from '@lectern/serving';
import { readBody } from '@lectern/serving';
import { type BuiltInEmbedder, builtInModel } from './built-in-embedder';
import { isEmbedderError } from './embedder';
import { parseEmbeddingsRequest, type RequestError, requestError } from './parse-embeddings-request';

export interface EmbeddingsServerOptions {
  embedder: Pick<BuiltInEmbedder, 'embedTexts' | 'warm'>;
  /** Demanded as `Authorization: Bearer ...`; none, and everybody may ask. */
  apiKey?: string;
  log: Pick<Logger, 'warn' | 'error'>;
}

/** The body of a request: 2,048 texts of some length. */
const mostBytes = 4_000_000;

/** What a request may take to arrive: a client that sends a byte a minute holds no connection. */
const arrivalMs = 30_000;

/**
 * The built-in model as an OpenAI-compatible endpoint: POST /v1/embeddings, GET /v1/models, GET /health (the process lives),
 * GET /ready (the model is loaded). Texts are embedded as they come: whoever asks writes `query: ` or `passage: ` before them.
 */
export function createEmbeddingsServer({ embedder, apiKey, log }: EmbeddingsServerOptions): Server {
  const maySee = apiKey === undefined ? () => true : createKeyCheck(apiKey);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?')[0];
    if (path === '/health') return send(response, 200, { status: 'ok' });
    if (path === '/ready')
      return embedder.warm().then(
        () => send(response, 200, { status: 'ready' }),
        () => send(response, 503, { status: 'not ready' }),
      );
    if (path !== '/v1/embeddings' && path !== '/v1/models' && path !== `/v1/models/${builtInModel.id}`)
      throw requestError(404, 'unknown_url', `Nothing is served at ${path}. Ask POST /v1/embeddings.`);
    // Before a byte of the body is read.
    if (!maySee(request.headers.authorization))
      throw requestError(401, 'invalid_api_key', 'The API key is missing or wrong.');
    if (path !== '/v1/embeddings')
      return send(response, 200, path === '/v1/models' ? { object: 'list', data: [described] } : described);
    if (request.method !== 'POST')
      throw requestError(405, 'method_not_supported', 'Ask POST /v1/embeddings.', { allow: 'POST' });
    return embed(request, response);
  };

  const embed = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const read = await readBody(request, mostBytes);
    if (read.kind === 'too-long')
      throw requestError(413, 'request_too_large', `The request may have at most ${mostBytes} bytes.`);
    // Nobody is there to be told.
    if (read.kind === 'broken-off') return void response.destroy();
    const asked = parseEmbeddingsRequest(read.body.toString('utf8'));
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const encoded = await embedder.embedTexts(asked.texts, { signal: gone.signal });
    const tokens = encoded.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
    send(response, 200, {
      object: 'list',
      data: encoded.map(({ vector }, index) => ({
        object: 'embedding',
        index,
        embedding: asked.base64 ? base64Of(vector) : Array.from(vector),
      })),
      model: builtInModel.id,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    });
  };

  const server = createServer({ requestTimeout: arrivalMs, headersTimeout: arrivalMs }, (request, response) => {
    // A client that goes away in the middle is no fault of anybody.
    request.on('error', () => {});
    answer(request, response).catch((error: unknown) => {
      if (response.destroyed || response.headersSent) return;
      const fault = faultOf(error);
      if (fault.status >= 500) log.error({ err: error }, 'could not embed');
      if (!request.complete) response.setHeader('connection', 'close');
      send(
        response,
        fault.status,
        {
          error: {
            message: fault.message,
            type: fault.status >= 500 ? 'server_error' : 'invalid_request_error',
            param: null,
            code: fault.code,
          },
        },
        fault.headers,
      );
    });
  });
  return server;
}

const described = { id: builtInModel.id, object: 'model', created: 0, owned_by: 'lectern' };

function faultOf(error: unknown): RequestError {
  if (error instanceof Error && 'status' in error) return error as RequestError;
  if (isEmbedderError(error) && error.failure === 'busy')
    return requestError(429, 'rate_limit_exceeded', 'Too many texts wait. Ask again in a second.', {
      'retry-after': '1',
    });
  return requestError(500, 'internal_error', 'The model could not embed this.');
}

function createKeyCheck(apiKey: string): (header: string | undefined) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digest(`Bearer ${apiKey}`);
  return (header) => timingSafeEqual(digest(header ?? ''), expected);
}

/** Little-endian floats, as OpenAI's own clients ask for by default: a third of the bytes of digits. */
const base64Of = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers })
    .end(text);
}
