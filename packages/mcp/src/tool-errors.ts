import {
  AuthenticationError,
  DeadlineError,
  InvalidResponseError,
  LecternError,
  NetworkError,
  RateLimitError,
  ResponseError,
} from '@lectern/client';
import type { Links } from './answer-links';

/** An error that a tool reports by itself. Its message says what to do. */
export class ToolError extends Error {
  override name = 'ToolError';
}

/** What a model should do after an error of the service, by the error's code. */
const adviceByCode: Readonly<Record<string, string>> = {
  BAD_USER_INPUT: 'Correct the argument and call the tool again.',
  NOT_FOUND:
    'Correct the argument that this message names and call the tool again. list_translations names the translations. References look like "John 3:16", "Psalm 23" or "Rom 8:1-4". A book is a name or a USFM code, such as "Psalms" or "PSA". Strong\'s numbers look like H2617 or G26.',
  SUBGRAPH_UNAVAILABLE:
    'This part of the service is unavailable now. Retry once after a few seconds; other tools may work.',
  REQUEST_TOO_EXPENSIVE: 'Ask for less: a shorter passage, a rarer word or a smaller limit.',
  SUPERGRAPH_UNAVAILABLE: 'The service is starting. Retry once after a few seconds.',
  KEYS_UNAVAILABLE: 'The service cannot check API keys now. Retry once after a few seconds.',
  QUERY_NOT_IN_SAFELIST:
    'Do not retry. Tell the user that the API key is restricted to trusted documents, and that the operator of the service must publish packages/mcp/dist/trusted-documents.json.',
  INTERNAL_SERVER_ERROR: 'Retry once. If the error stays, tell the user.',
};

/**
 * Describes an error in words that a model can act on: what went wrong, and whether and when to try
 * again.
 */
export function describeError(error: unknown, links: Links): string {
  if (error instanceof ToolError) return error.message;
  if (error instanceof AuthenticationError)
    return `The service rejected the API key: ${error.message}. Do not retry. Tell the user to give the MCP server a valid key (LECTERN_KEY over stdio, the Authorization header over HTTP). Keys are requested at ${links.keyRequest}`;
  if (error instanceof RateLimitError) return describeRateLimit(error);
  if (error instanceof ResponseError) return describeResponseError(error);
  if (error instanceof DeadlineError)
    return 'The service did not respond in time. Retry once, or ask for less: a shorter passage or a smaller limit.';
  if (error instanceof InvalidResponseError)
    return `${error.message} Do not retry. Tell the user to check LECTERN_URL of the MCP server.`;
  if (error instanceof NetworkError)
    return `The service cannot be reached (${causeOf(error)}). Retry once. If the error stays, tell the user to check that the service runs and that LECTERN_URL of the MCP server is right.`;
  if (error instanceof LecternError) return `${error.message} Retry once. If the error stays, tell the user.`;
  throw error;
}

const limitMeanings: Readonly<Record<string, string>> = {
  key: 'This API key has used all its requests of this day (UTC).',
  'key-minute': 'This API key has used all its requests of this minute.',
  address: 'The address of the MCP server has used all its requests of this minute.',
  'key-in-flight': 'Too many requests of this API key are in flight.',
};

function describeRateLimit(error: RateLimitError): string {
  const meaning = limitMeanings[String(error.errors[0]?.extensions?.['limit'])] ?? error.message;
  const seconds = Math.ceil((error.retryAfterMs ?? 60_000) / 1_000);
  const wait =
    seconds < 120
      ? `Wait ${seconds} seconds, then retry.`
      : `Do not retry now: tell the user to try again in ${formatDuration(seconds)}.`;
  return `${meaning} ${wait} Until then every tool of this server fails.`;
}

const formatDuration = (seconds: number): string =>
  seconds < 7_200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3_600)} hours`;

function describeResponseError(error: ResponseError): string {
  const advice = adviceByCode[error.code] ?? 'Retrying does not help.';
  const message = /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
  const request = error.code === 'INTERNAL_SERVER_ERROR' && error.requestId ? ` Request id: ${error.requestId}.` : '';
  return `${message} ${advice}${request}`;
}

/** Returns the code of the system's error, such as ECONNREFUSED, or a text if there is no code. */
function causeOf(error: NetworkError): string {
  const { cause } = error as { cause?: { cause?: { code?: string } } };
  return cause?.cause?.code ?? 'the connection failed';
}
