import type { HttpResponse } from '@lectern/testing';
import { send } from '@lectern/testing';

export interface PostOptions {
  /** Name, value, name, value ... exactly as they go out, in place of what a browser says of a form on this server's own page. */
  headers?: readonly string[];
}

/** Somebody with a browser of their own, as far as a server can tell: cookies are kept, redirects are for the test to follow. */
export function createBrowserClient(origin: string, address = '198.51.100.1') {
  const cookies = new Map<string, string>();
  const go = async (path: string, method: string, headers: readonly string[], body?: string): Promise<HttpResponse> => {
    const jar = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const received = await send(`${origin}${path}`, {
      method,
      headers: [...(jar === '' ? [] : ['Cookie', jar]), 'X-Forwarded-For', address, ...headers],
      body,
    });
    for (const cookie of received.headers['set-cookie'] ?? []) {
      const [name = '', value = ''] = (cookie.split(';', 1)[0] ?? '').split('=');
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return received;
  };
  const get = (path: string): Promise<HttpResponse> => go(path, 'GET', []);
  const post = (
    path: string,
    fields: Readonly<Record<string, string>> | string,
    {
      headers = [
        'Content-Type',
        'application/x-www-form-urlencoded',
        'Sec-Fetch-Site',
        'same-origin',
        'Origin',
        origin,
      ],
    }: PostOptions = {},
  ): Promise<HttpResponse> =>
    go(path, 'POST', headers, typeof fields === 'string' ? fields : new URLSearchParams(fields).toString());
  return {
    cookies,
    get,
    post,
    /** Opens a page and sends the form on it, with these fields filled in. */
    async submitForm(
      path: string,
      fields: Readonly<Record<string, string>>,
      posted?: PostOptions,
    ): Promise<HttpResponse> {
      return post(path, { ...hiddenFields((await get(path)).text), ...fields }, posted);
    },
  };
}

export type BrowserClient = ReturnType<typeof createBrowserClient>;

/** What the forms of a page send along unseen. */
export const hiddenFields = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );

/** The text of a page as it is read: without marks, with entities resolved. */
export const visibleText = (page: string): string => {
  const marks: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return page.replace(/<[^>]*>/g, '').replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => marks[name] ?? '');
};
