import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a client that is answered before its body was read may go on sending, so that it gets to see why. */
const lingerMs = 1_000;

/** A body that nobody reads must not hold its connection; cutting it at once could lose the answer on its way. */
export function cutUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete) return;
    const cut = setTimeout(() => request.socket.destroy(), lingerMs);
    cut.unref();
    request
      .once('end', () => clearTimeout(cut))
      .once('close', () => clearTimeout(cut))
      .resume();
  });
}
