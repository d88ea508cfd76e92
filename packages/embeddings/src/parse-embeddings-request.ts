import { builtInModel } from './built-in';

/** An error response for a client, in the form of OpenAI's API. */
export interface RequestError extends Error {
  readonly status: number;
  /** An error code of OpenAI's API. */
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const requestError = (
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): RequestError => Object.assign(new Error(message), { status, code, headers });

export interface EmbeddingsRequest {
  texts: string[];
  /** Whether the client wants vectors in base64. False for arrays of numbers. */
  isBase64: boolean;
}

/** The maximum number of texts in a request, the same as in OpenAI's API. */
const maxTexts = 2048;

/** Parses the body of `POST /v1/embeddings`. Throws a RequestError that says what is invalid. */
export function parseEmbeddingsRequest(body: string): EmbeddingsRequest {
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
  if (!texts.every((text): text is string => typeof text === 'string'))
    throw invalid('input is a text or a list of texts (lists of tokens are not supported)');
  if (texts.includes('')) throw invalid('input holds an empty text');
  return { texts, isBase64: format === 'base64' };
}

function parseObject(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Invalid JSON gets the same error as JSON that is not an object.
  }
  throw invalid('the body is a JSON object with model and input');
}

const invalid = (message: string): RequestError => requestError(400, 'invalid_value', message);
