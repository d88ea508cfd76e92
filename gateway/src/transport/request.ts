import { readCpuTime } from '@lectern/serving';
import type { SubgraphResponse } from '@lectern/subgraph';
import type { Dispatcher } from 'undici';
import {
  checkHead,
  invalidResponse,
  type ResponseHeaders,
  readResponse,
  tooLong,
  type UpstreamError,
  upstreamError,
} from './response';

export interface UpstreamRequest {
  path: string;
  /** Names and values in turn. */
  headers: string[];
  /** The body as JSON. */
  body: string;
  maxResponseBytes: number;
  /** Whether the body is left unparsed if the upstream declares it to be `{"data":{...}}`. */
  acceptsRawBody: boolean;
  /** Whether the request is a retry or a probe. Its connection is closed afterwards. */
  isRetry: boolean;
  /** Called once, just before `response` settles. The status is null if no headers arrived. */
  onSettled: (error: UpstreamError | null, status: number | null) => void;
  onHeaders: (headers: ResponseHeaders, status: number) => void;
}

export interface Attempt {
  /** The response of the upstream. Rejects with an UpstreamError if there is no response. */
  readonly response: Promise<SubgraphResponse>;
  /** Rejects `response` at once and closes the connection. Does nothing if `response` has settled. */
  cancel(error: UpstreamError): void;
  /** Returns the HTTP status of the response. Null before its headers arrive. */
  status(): number | null;
}

/** Sends a request without a timeout, by `dispatch`: undici's `request` does not tell whether a part had arrived. */
export function sendRequest(upstream: Dispatcher, request: UpstreamRequest): Attempt {
  const { path, headers, body, maxResponseBytes, acceptsRawBody, isRetry, onSettled, onHeaders } = request;
  let connection: Dispatcher.DispatchController | null = null;
  let cancelledWith: UpstreamError | null = null;
  let cancel: Attempt['cancel'] = () => {};
  let httpStatus: number | null = null;
  const response = new Promise<SubgraphResponse>((resolve, reject) => {
    let settled = false;
    let hasHeaders = false;
    let responseHeaders: ResponseHeaders = {};
    let size = 0;
    const chunks: Buffer[] = [];
    const startedAt = performance.now();
    const fail = (error: UpstreamError) => {
      if (settled) return;
      settled = true;
      onSettled(error, httpStatus);
      reject(error);
    };
    cancel = (error) => {
      if (settled) return;
      cancelledWith = error;
      fail(error);
      connection?.abort(error);
    };

    upstream.dispatch(
      { method: 'POST', path, headers, body, reset: isRetry },
      {
        onRequestStart(controller) {
          connection = controller;
          // The request was cancelled while it waited for a connection.
          if (cancelledWith) controller.abort(cancelledWith);
        },
        onResponseStart(_, status, received) {
          hasHeaders = true;
          if (status < 200) return;
          httpStatus = status;
          onHeaders(received, status);
          responseHeaders = received;
          const error = checkHead(status, received, maxResponseBytes);
          if (error) cancel(error);
        },
        onResponseData(_, chunk) {
          size += chunk.length;
          if (size > maxResponseBytes) cancel(tooLong(maxResponseBytes));
          else chunks.push(chunk);
        },
        onResponseEnd() {
          let read: SubgraphResponse;
          const endedAt = performance.now();
          try {
            read = readResponse(chunks, responseHeaders, httpStatus ?? 200, acceptsRawBody);
            // A subgraph may report any CPU time, so the time is limited to the time that the gateway waited.
            const cpuMs = Math.min(readCpuTime(responseHeaders), endedAt - startedAt);
            read.cpuMs = cpuMs + performance.now() - endedAt;
          } catch (error) {
            return fail(error as UpstreamError);
          }
          settled = true;
          onSettled(null, httpStatus);
          resolve(read);
        },
        onResponseError(_, error) {
          fail(toUpstreamError(error, hasHeaders));
        },
      },
    );
  });
  return { response, cancel, status: () => httpStatus };
}

/** Classifies an error of undici or of the connection. */
function toUpstreamError(error: NodeJS.ErrnoException, hasHeaders: boolean): UpstreamError {
  // Codes that begin with HPE_ come from node's HTTP parser.
  if (error.code?.startsWith('HPE_')) return invalidResponse(`is not HTTP: ${error.message}`);
  const message = error.message === '' ? String(error.code) : error.message;
  if (hasHeaders) return invalidResponse(`was cut off: ${message}`);
  return upstreamError(error.code === 'UND_ERR_CONNECT_TIMEOUT' ? 'timeout' : 'unreachable', message);
}
