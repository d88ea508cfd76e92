import type { IncomingMessage } from 'node:http';
import { errors } from '@lectern/errors';
import type { ReadBody, ResponseMediaType } from '@lectern/serving';
import { isDeclaredTooLong, negotiateMediaType } from '@lectern/serving';
import type { GraphqlParams } from '../validation/operation-validator';
import { isJsonBody } from './json-body';

/**
 * Checks the method and the headers before the body is read. Returns the media type of the
 * response. Throws `methodNotAllowed`, `bodyTooLarge`, `unsupportedMediaType` or `notAcceptable`.
 */
export function checkRequestHead(request: IncomingMessage, maxBodyBytes: number): ResponseMediaType {
  if (request.method !== 'POST') throw errors.methodNotAllowed();
  if (isDeclaredTooLong(request, maxBodyBytes)) throw errors.bodyTooLarge(maxBodyBytes);
  if (!isJsonBody(request.headers)) throw errors.unsupportedMediaType();
  const mediaType = negotiateMediaType(request.headers);
  if (!mediaType) throw errors.notAcceptable();
  return mediaType;
}

/**
 * Parses the body of a request. Throws `bodyTooLarge`, `malformedHttp`, `invalidJson` or
 * `invalidBody`.
 */
export function parseParams(read: ReadBody, maxBodyBytes: number): GraphqlParams {
  if (read.kind === 'too-long') throw errors.bodyTooLarge(maxBodyBytes);
  if (read.kind === 'broken-off') throw errors.malformedHttp();
  const value = parseJson(read.body);
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

/**
 * The decoder of request bodies. It throws if the bytes are not UTF-8. Requests share the decoder,
 * because creating a decoder costs more than decoding.
 */
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
