import type { IncomingMessage } from 'node:http';

/** What pages with forms tell apart; a HEAD is a GET whose body node leaves out. Null for anything else. */
export function formMethod({ method }: IncomingMessage): 'GET' | 'POST' | null {
  if (method === 'POST') return 'POST';
  return method === 'GET' || method === 'HEAD' ? 'GET' : null;
}
