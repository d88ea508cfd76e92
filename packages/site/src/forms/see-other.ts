import type { ServerResponse } from 'node:http';
import { securityHeaders } from '../page';

/** Sends the browser on with a GET, so that loading again what it then shows sends no form twice. */
export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { ...securityHeaders, location, 'cache-control': 'no-store', 'content-length': 0 }).end();
}
