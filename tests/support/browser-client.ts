import type { HttpResponse } from '@lectern/testing';
import { send } from '@lectern/testing';

export interface PostOptions {
  /**
   * Names and values in turn.
   * They replace the headers that a browser sends for a form on a page of this server.
   */
  headers?: readonly string[];
}

/** An HTTP client that keeps cookies as a browser does. Redirects are not followed. */
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
  /** Posts fields, or a body that is encoded already. */
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
    /** Opens the page at the path and submits its form with its hidden fields and these fields. */
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

/** Returns the names and values of the page's hidden fields. */
export const hiddenFields = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );

/** Returns the text of a page without tags and with entities decoded. */
export const visibleText = (page: string): string => {
  const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return page
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|quot|#39|amp);/g, (_, entity: string) => characters[entity] ?? '');
};
