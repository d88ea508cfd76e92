import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Environment, Keys, Session } from '@lectern/keys';
import { formMethod } from '../forms/form-method';
import { formRejections, sendFormRejection } from '../forms/form-rejection';
import { isSameOriginRequest } from '../forms/own-page';
import type { ConsumeRateLimit } from '../forms/rate-limit';
import { isRefusal, readForm } from '../forms/read-form';
import { equalsInConstantTime } from '../forms/same-text';
import { redirect } from '../forms/see-other';
import type { Route } from '../route';
import type { AdminRoute } from './admin-route';
import { createAuditLogRoutes } from './audit-log-page';
import { createIssueKeyRoutes } from './issue-key-page';
import { createKeyRoutes } from './key-pages';
import { createKeyRequestDecisionRoutes } from './key-request-decisions';
import { createKeyRequestReviewRoutes } from './key-request-review';
import { signInPath, signInUrl } from './return-path';
import { createSignIn } from './sign-in';

export interface AdminPagesOptions {
  keys: Keys;
  /** The operators' password; empty, and there are no such pages. */
  password: string;
  /** Which keys this deployment gives out. */
  environment: Environment;
  /** How often somebody may try to sign in. */
  consumeRateLimit: ConsumeRateLimit;
  /** Where a request comes from, for the audit log. */
  clientAddress: (request: IncomingMessage) => string;
  /** The deployment's secret: any gateway takes a form that another one made. */
  formSecret: string;
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
  consumeRateLimit,
  clientAddress,
  formSecret,
  secureCookies,
  mailsToOutbox,
  now = Date.now,
}: AdminPagesOptions): Route[] {
  if (password === '') return [];
  const signIn = createSignIn({ keys, password, consumeRateLimit, clientAddress, formSecret, secureCookies, now });
  const parts = { keys, environment };
  const routes: readonly AdminRoute[] = [
    { pattern: /^\/admin\/?$/, get: ({ response }) => redirect(response, '/admin/requests') },
    {
      pattern: /^\/admin\/sign-out$/,
      get: ({ response }) => redirect(response, '/admin'),
      post: ({ request, response }) => signIn.signOut(request, response),
    },
    ...createKeyRequestReviewRoutes(parts),
    ...createKeyRequestDecisionRoutes(parts),
    ...createKeyRoutes(parts),
    ...createIssueKeyRoutes(parts),
    ...createAuditLogRoutes(parts),
  ];

  async function handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const method = formMethod(request);
    if (method === null) sendFormRejection(response, formRejections.method('GET, HEAD, POST'));
    else if (method === 'POST' && !isSameOriginRequest(request))
      sendFormRejection(response, formRejections.otherSite());
    else if (method === 'POST' && path === signInPath) await signIn.signIn(request, response);
    else {
      const session = await signIn.sessionOf(request);
      if (session) await serve(session, method, { request, response, path });
      else if (path === signInPath) signIn.show(request, response, queryOf(request).get('to') ?? '');
      else redirect(response, signInUrl(method === 'GET' ? (request.url ?? '') : path));
    }
  }

  interface Asked {
    request: IncomingMessage;
    response: ServerResponse;
    path: string;
  }
  async function serve(session: Session, method: 'GET' | 'POST', { request, response, path }: Asked): Promise<void> {
    if (path === signInPath) {
      redirect(response, '/admin');
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
        if (isRefusal(form)) sendFormRejection(response, form);
        else if (!equalsInConstantTime(form.value('csrf'), session.csrf))
          sendFormRejection(response, formRejections.stale());
        else await post({ ...visit, form });
      } else sendFormRejection(response, formRejections.method('GET, HEAD'));
      return;
    }
    sendFormRejection(response, formRejections.missing());
  }

  return [
    { path: '/admin', handle },
    { path: '/admin/', handle },
  ];
}

const queryOf = ({ url = '' }: IncomingMessage): URLSearchParams =>
  new URLSearchParams(url.split('?').slice(1).join('?'));
