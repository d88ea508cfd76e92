import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Environment, Keys, Session } from '@lectern/keys';
import { formMethod } from '../forms/form-method';
import type { Limit } from '../forms/limit';
import { isFromOwnPage } from '../forms/own-page';
import { pageRefusals, sendPageRefusal } from '../forms/page-refusal';
import { isRefusal, readForm } from '../forms/read-form';
import { sameText } from '../forms/same-text';
import { seeOther } from '../forms/see-other';
import type { Route } from '../route';
import { createAuditPages } from './audit-pages';
import { createKeyPages } from './key-pages';
import { createNewKeyPages } from './new-key-pages';
import { createRequestActs } from './request-acts';
import { createRequestViews } from './request-views';
import { signInPath, signInPathFor } from './return-path';
import { createSignIn } from './sign-in';
import type { AdminRoute } from './visit';

export interface AdminPagesParts {
  keys: Keys;
  /** The operators' password; empty, and there are no such pages. */
  password: string;
  /** Which keys this deployment gives out. */
  environment: Environment;
  /** How often somebody may try to sign in. */
  limit: Limit;
  /** Where a request comes from, for the audit log. */
  addressOf: (request: IncomingMessage) => string;
  /** The deployment's secret: any gateway takes a form that another one made. */
  pepper: string;
  /** Whether mails are files that somebody has to send on. */
  mailsToOutbox: boolean;
  /** Whether browsers come over https. */
  secureCookies: boolean;
  now?: () => number;
}

const noForm = { value: () => '', lines: () => '' };

/** What operators do by command, as pages without a script. All of it is behind the password, and every POST shows that it comes from a page of its session. */
export function createAdminPages({
  keys,
  password,
  environment,
  limit,
  addressOf,
  pepper,
  secureCookies,
  mailsToOutbox,
  now = Date.now,
}: AdminPagesParts): Route[] {
  if (password === '') return [];
  const signIn = createSignIn({ keys, password, limit, addressOf, pepper, secureCookies, now });
  const parts = { keys, environment };
  const routes: readonly AdminRoute[] = [
    { pattern: /^\/admin\/?$/, get: ({ response }) => seeOther(response, '/admin/requests') },
    {
      pattern: /^\/admin\/sign-out$/,
      get: ({ response }) => seeOther(response, '/admin'),
      post: ({ request, response }) => signIn.signOut(request, response),
    },
    ...createRequestViews(parts),
    ...createRequestActs(parts),
    ...createKeyPages(parts),
    ...createNewKeyPages(parts),
    ...createAuditPages(parts),
  ];

  async function handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const method = formMethod(request);
    if (method === null) sendPageRefusal(response, pageRefusals.method('GET, HEAD, POST'));
    else if (method === 'POST' && !isFromOwnPage(request)) sendPageRefusal(response, pageRefusals.otherSite());
    else if (method === 'POST' && path === signInPath) await signIn.signIn(request, response);
    else {
      const session = await signIn.sessionOf(request);
      if (session) await serve(session, method, { request, response, path });
      else if (path === signInPath) signIn.show(request, response, queryOf(request).get('to') ?? '');
      else seeOther(response, signInPathFor(method === 'GET' ? (request.url ?? '') : path));
    }
  }

  interface Asked {
    request: IncomingMessage;
    response: ServerResponse;
    path: string;
  }
  async function serve(session: Session, method: 'GET' | 'POST', { request, response, path }: Asked): Promise<void> {
    if (path === signInPath) {
      seeOther(response, '/admin');
      return;
    }
    for (const { pattern, get, post } of routes) {
      const found = pattern.exec(path);
      if (!found) continue;
      const visit = {
        request,
        response,
        session,
        query: queryOf(request),
        id: found[1] ?? '',
        form: noForm,
        mailsToOutbox,
      };
      if (method === 'GET') await get(visit);
      else if (post) {
        const form = await readForm(request);
        if (isRefusal(form)) sendPageRefusal(response, form);
        else if (!sameText(form.value('csrf'), session.csrf)) sendPageRefusal(response, pageRefusals.stale());
        else await post({ ...visit, form });
      } else sendPageRefusal(response, pageRefusals.method('GET, HEAD'));
      return;
    }
    sendPageRefusal(response, pageRefusals.missing());
  }

  return [
    { path: '/admin', handle },
    { path: '/admin/', handle },
  ];
}

const queryOf = ({ url = '' }: IncomingMessage): URLSearchParams =>
  new URLSearchParams(url.split('?').slice(1).join('?'));
