import type { Dispatcher } from 'undici';
import { parseResponse, rawResponse } from './parse-response';
import type { SubgraphResponse } from './subgraph-fetch';
import type { UpstreamError } from './upstream-error';
import { upstreamError } from './upstream-error';

export interface Question {
  path: string;
  headers: Readonly<Record<string, string>>;
  /** JSON. */
  body: string;
  mostAnswerBytes: number;
  /** Whether an answer that the peer vouches for is left unread. */
  acceptsRawBody: boolean;
  /** Whether the connection is closed after the answer. */
  last: boolean;
  /** Called once, just before `answer` settles; with null for an answer. */
  onSettled: (fault: UpstreamError | null) => void;
  onHeaders: (headers: Readonly<Record<string, string | string[] | undefined>>, status: number) => void;
}

export interface Attempt {
  /** Rejects with a UpstreamError. */
  readonly answer: Promise<SubgraphResponse>;
  /** Gives up: `answer` rejects with this at once, and the connection is closed. Nothing happens where it has settled already. */
  cancel(fault: UpstreamError): void;
}

/**
 * Asks one peer once. Written to undici's `dispatch`, which tells what `request` hides: whether anything of an answer came before the connection
 * was lost. No time is kept here; whoever asks cancels.
 */
export function sendRequest(
  peer: Dispatcher,
  { path, headers, body, mostAnswerBytes, acceptsRawBody, last, onSettled, onHeaders }: Question,
): Attempt {
  let connection: Dispatcher.DispatchController | null = null;
  let given: UpstreamError | null = null;
  let cancel: Attempt['cancel'] = () => {};
  const answer = new Promise<SubgraphResponse>((resolve, reject) => {
    let settled = false;
    let answered = false;
    let size = 0;
    let isVouchedFor = false;
    const chunks: Buffer[] = [];
    const fail = (fault: UpstreamError) => {
      if (settled) return;
      settled = true;
      onSettled(fault);
      reject(fault);
    };
    const giveUp = (fault: UpstreamError) => {
      if (settled) return;
      given = fault;
      fail(fault);
      connection?.abort(fault);
    };
    cancel = giveUp;

    peer.dispatch(
      { method: 'POST', path, headers, body, reset: last },
      {
        onRequestStart(controller) {
          connection = controller;
          // Given up while it waited for a connection.
          if (given) controller.abort(given);
        },
        onResponseStart(_, status, received) {
          answered = true;
          if (status < 200) return;
          onHeaders(received, status);
          isVouchedFor = received['x-lectern-answer'] === 'whole';
          const fault = faultOfHead(status, received, mostAnswerBytes);
          if (fault) giveUp(fault);
        },
        onResponseData(_, chunk) {
          size += chunk.length;
          if (size > mostAnswerBytes) giveUp(tooLong(mostAnswerBytes));
          else chunks.push(chunk);
        },
        onResponseEnd() {
          const read = acceptsRawBody && isVouchedFor ? rawResponse(chunks) : parseResponse(chunks);
          if (!read) return fail(upstreamError('nonsense', 'it did not answer with GraphQL'));
          settled = true;
          onSettled(null);
          resolve(read);
        },
        onResponseError(_, error) {
          fail(faultOfConnection(error, answered));
        },
      },
    );
  });
  return { answer, cancel };
}

function faultOfConnection(error: NodeJS.ErrnoException, answered: boolean): UpstreamError {
  // What came could not even be read as HTTP.
  if (error.code?.startsWith('HPE_'))
    return upstreamError('nonsense', `it does not answer with HTTP: ${error.message}`);
  const message = error.message === '' ? String(error.code) : error.message;
  if (answered) return upstreamError('nonsense', `it broke off its answer: ${message}`);
  return upstreamError(error.code === 'UND_ERR_CONNECT_TIMEOUT' ? 'slow' : 'absent', message);
}

/** What the status and headers say is looked at before the body is: a peer gone wrong may send anything, at any length. */
function faultOfHead(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  mostBytes: number,
): UpstreamError | null {
  if (status === 401)
    return upstreamError(
      'nonsense',
      'it refused the gateway (401): SUBGRAPH_SECRET must be the same there, and the clocks less than a minute apart',
    );
  // 400 is how a GraphQL server says that it does not take the document.
  if (status !== 200 && status !== 400) return upstreamError('nonsense', `it answered with status ${status}`);
  if (headers['content-encoding'] !== undefined)
    return upstreamError('nonsense', 'it compressed the answer, which nobody asked for');
  if (!String(headers['content-type']).includes('json'))
    return upstreamError('nonsense', 'it did not answer with JSON');
  return Number(headers['content-length'] ?? 0) > mostBytes ? tooLong(mostBytes) : null;
}

const tooLong = (mostBytes: number): UpstreamError =>
  upstreamError('nonsense', `its answer has more than ${mostBytes} bytes`);
