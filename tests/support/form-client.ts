import type { HttpResponse } from '@lectern/testing';
import { send } from '@lectern/testing';

export interface PostOptions {
  /**
   * Header names and values in alternation, as in Node's `rawHeaders`. They replace the default
   * headers, which are those of a browser that submits a form of a page of this server.
   */
  headers?: readonly string[];
}

/**
 * Creates an HTTP client that stores cookies by name and sends all of them with each request: it
 * ignores attributes such as Path and Max-Age. It follows no redirects. It sends `address` as its
 * IP address in the X-Forwarded-For header.
 */
export function createBrowserClient(origin: string, address = '198.51.100.1') {
  const cookies = new Map<string, string>();
  const request = async (
    path: string,
    method: string,
    headers: readonly string[],
    body?: string,
  ): Promise<HttpResponse> => {
    const cookieHeader = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await send(`${origin}${path}`, {
      method,
      headers: [...(cookieHeader === '' ? [] : ['Cookie', cookieHeader]), 'X-Forwarded-For', address, ...headers],
      body,
    });
    for (const cookie of response.headers['set-cookie'] ?? []) {
      const [name = '', value = ''] = (cookie.split(';', 1)[0] ?? '').split('=');
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const sameOriginHeaders = [
    'Content-Type',
    'application/x-www-form-urlencoded',
    'Sec-Fetch-Site',
    'same-origin',
    'Origin',
    origin,
  ];
  const get = (path: string): Promise<HttpResponse> => request(path, 'GET', []);
  /** Posts the fields of a form, or a string that is already encoded as a form. */
  const post = (
    path: string,
    fields: Readonly<Record<string, string>> | string,
    { headers = sameOriginHeaders }: PostOptions = {},
  ): Promise<HttpResponse> =>
    request(path, 'POST', headers, typeof fields === 'string' ? fields : new URLSearchParams(fields).toString());
  return {
    cookies,
    get,
    post,
    /**
     * Opens the page at this path, and submits its form with the page's hidden fields and `fields`.
     */
    async submitForm(
      path: string,
      fields: Readonly<Record<string, string>>,
      options?: PostOptions,
    ): Promise<HttpResponse> {
      return post(path, { ...hiddenFields((await get(path)).text), ...fields }, options);
    },
  };
}

export type BrowserClient = ReturnType<typeof createBrowserClient>;

/** Returns the names and values of the hidden form fields of an HTML page. */
export const hiddenFields = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );

const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

export const decodeEntities = (html: string): string =>
  html.replace(/&(lt|gt|quot|#39|amp);/g, (_, entity: string) => characters[entity] ?? '');

/** Returns the text of an HTML page: without tags, and with decoded entities. */
export const visibleText = (page: string): string => decodeEntities(page.replace(/<[^>]*>/g, ''));
