import { builtInModel } from './built-in-embedder';

/** What is said to a client whose request cannot be answered. */
export interface RequestError extends Error {
  readonly status: number;
  /** As OpenAI's API names it. */
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
  /** Vectors as base64 rather than as digits. */
  base64: boolean;
}

/** As many as OpenAI's API takes. */
const mostTexts = 2048;

/** Reads the body of `POST /v1/embeddings`; throws a fault that says what is wrong with it. */
export function parseEmbeddingsRequest(body: string): EmbeddingsRequest {
  const { model, input, encoding_format: format = 'float', dimensions = builtInModel.dimensions } = readObject(body);
  if (model !== builtInModel.id)
    throw requestError(
      404,
      'model_not_found',
      `The model ${JSON.stringify(model ?? null)} is not served here; ${builtInModel.id} is.`,
    );
  if (dimensions !== builtInModel.dimensions) throw invalid(`dimensions can only be ${builtInModel.dimensions}`);
  if (format !== 'float' && format !== 'base64') throw invalid('encoding_format is "float" or "base64"');
  const texts: unknown[] = Array.isArray(input) ? input : [input];
  if (texts.length === 0 || texts.length > mostTexts) throw invalid(`input holds 1 to ${mostTexts} texts`);
  if (!texts.every((text): text is string => typeof text === 'string'))
    throw invalid('input is a text or a list of texts (lists of tokens are not taken)');
  if (texts.includes('')) throw invalid('input holds an empty text');
  return { texts, base64: format === 'base64' };
}

function readObject(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Told below: what is no JSON is no object either.
  }
  throw invalid('the body is a JSON object with model and input');
}

const invalid = (what: string): RequestError => requestError(400, 'invalid_value', what);
