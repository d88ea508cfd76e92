import type { Dispatcher } from 'undici';
import { readAnswer, wholeAnswer } from './parse-response';
import type { SubgraphAnswer } from './subgraph-fetch';
import type { PeerFault } from './upstream-error';
import { peerFault } from './upstream-error';

export interface Question {
  path: string;
  headers: Readonly<Record<string, string>>;
  /** JSON. */
  body: string;
  mostAnswerBytes: number;
  /** Whether an answer that the peer vouches for is left unread. */
  takesWhole: boolean;
  /** Whether the connection is closed after the answer. */
  last: boolean;
  /** Called once, just before `answer` settles; with null for an answer. */
  onSettled: (fault: PeerFault | null) => void;
  onHeaders: (headers: Readonly<Record<string, string | string[] | undefined>>, status: number) => void;
}

export interface Attempt {
  /** Rejects with a PeerFault. */
  readonly answer: Promise<SubgraphAnswer>;
  /** Gives up: `answer` rejects with this at once, and the connection is closed. Nothing happens where it has settled already. */
  cancel(fault: PeerFault): void;
}

/**
 * Asks one peer once. Written to undici's `dispatch`, which tells what `request` hides: whether anything of an answer came before the connection
 * was lost. No time is kept here; whoever asks cancels.
 */
export function askOnce(
  peer: Dispatcher,
  { path, headers, body, mostAnswerBytes, takesWhole, last, onSettled, onHeaders }: Question,
): Attempt {
  let connection: Dispatcher.DispatchController | null = null;
  let given: PeerFault | null = null;
  let cancel: Attempt['cancel'] = () => {};
  const answer = new Promise<SubgraphAnswer>((resolve, reject) => {
    let settled = false;
    let answered = false;
    let size = 0;
    let isVouchedFor = false;
    const chunks: Buffer[] = [];
    const fail = (fault: PeerFault) => {
      if (settled) return;
      settled = true;
      onSettled(fault);
      reject(fault);
    };
    const giveUp = (fault: PeerFault) => {
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
          const read = takesWhole && isVouchedFor ? wholeAnswer(chunks) : readAnswer(chunks);
          if (!read) return fail(peerFault('nonsense', 'it did not answer with GraphQL'));
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

function faultOfConnection(error: NodeJS.ErrnoException, answered: boolean): PeerFault {
  // What came could not even be read as HTTP.
  if (error.code?.startsWith('HPE_')) return peerFault('nonsense', `it does not answer with HTTP: ${error.message}`);
  const message = error.message === '' ? String(error.code) : error.message;
  if (answered) return peerFault('nonsense', `it broke off its answer: ${message}`);
  return peerFault(error.code === 'UND_ERR_CONNECT_TIMEOUT' ? 'slow' : 'absent', message);
}

/** What the status and headers say is looked at before the body is: a peer gone wrong may send anything, at any length. */
function faultOfHead(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  mostBytes: number,
): PeerFault | null {
  if (status === 401)
    return peerFault(
      'nonsense',
      'it refused the gateway (401): SUBGRAPH_SECRET must be the same there, and the clocks less than a minute apart',
    );
  // 400 is how a GraphQL server says that it does not take the document.
  if (status !== 200 && status !== 400) return peerFault('nonsense', `it answered with status ${status}`);
  if (headers['content-encoding'] !== undefined)
    return peerFault('nonsense', 'it compressed the answer, which nobody asked for');
  if (!String(headers['content-type']).includes('json')) return peerFault('nonsense', 'it did not answer with JSON');
  return Number(headers['content-length'] ?? 0) > mostBytes ? tooLong(mostBytes) : null;
}

const tooLong = (mostBytes: number): PeerFault => peerFault('nonsense', `its answer has more than ${mostBytes} bytes`);
