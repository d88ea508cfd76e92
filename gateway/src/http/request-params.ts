import type { IncomingMessage } from 'node:http';
import { errors } from '@lectern/errors';
import { readBody as readWhole } from '@lectern/serving';

/** What a POST to /graphql holds. */
export interface GraphqlParams {
  query: string;
  variables: Record<string, unknown> | null;
  operationName: string | null;
}

/** The body, whole. Throws when it is longer than it may be, whatever its declared length, or breaks off. */
export async function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const body = await readWhole(request, mostBytes);
  if (body === 'too-long') throw errors.bodyTooLarge(mostBytes);
  if (body === 'broken-off') throw errors.malformedHttp();
  return body;
}

export function parseParams(body: Buffer): GraphqlParams {
  const value = parseJson(body);
  if (Array.isArray(value)) throw errors.invalidBody('Batches are not supported: send one operation in a request.');
  if (!isObject(value)) throw errors.invalidBody('The request body must be a JSON object with a member "query".');
  const { query, variables = null, operationName = null, extensions = null } = value;
  if (typeof query !== 'string')
    throw errors.invalidBody('The member "query" must be a string that holds a GraphQL document.');
  if (variables !== null && !isObject(variables))
    throw errors.invalidBody('The member "variables" must be an object, null or absent.');
  if (operationName !== null && typeof operationName !== 'string')
    throw errors.invalidBody('The member "operationName" must be a string, null or absent.');
  if (extensions !== null && !isObject(extensions))
    throw errors.invalidBody('The member "extensions" must be an object, null or absent.');
  return { query, variables, operationName };
}

/** Throws for what is not UTF-8. Making one costs more than all it decodes. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw errors.invalidJson();
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
