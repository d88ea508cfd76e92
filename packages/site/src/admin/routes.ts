import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Environment, Keys, Session } from '@lectern/keys';
import { equalsInConstantTime, isSameOriginRequest } from '../forms/csrf';
import type { ConsumeRateLimit } from '../forms/form';
import { formMethod, formRejections, readForm, sendFormRejection } from '../forms/form';
import type { Route } from '../page';
import { queryOf, redirect } from '../page';
import { createAuditLogRoutes } from './audit';
import { createKeyRequestDecisionRoutes } from './decisions';
import { createIssueKeyRoutes } from './issue';
import { createKeyActionRoutes, createKeyRoutes } from './keys';
import type { AdminRoute, ReadKeyUsage } from './layout';
import { createKeyRequestReviewRoutes } from './requests';
import { createSignIn, signInPath, signInUrl } from './sign-in';

interface AdminPagesOptions {
  keys: Keys;
  /** The operators' shared password. Without a password (''), there are no operator's pages. */
  password: string;
  /** The environment that this deployment issues keys for. */
  environment: Environment;
  /** Called for every attempt to sign in. */
  consumeRateLimit: ConsumeRateLimit;
  /** The client address for the audit log. */
  clientAddress: (request: IncomingMessage) => string;
  /**
   * Whether an untrusted proxy sent the request. All clients of the proxy then seem to have the
   * same address.
   */
  isBehindUntrustedProxy: (request: IncomingMessage) => boolean;
  /** The deployment's secret for CSRF tokens, the same on every gateway. */
  formSecret: string;
  /** Whether emails are written to the outbox folder, from which somebody has to send them. */
  mailsToOutbox: boolean;
  /** Reads the usage of a key in the current UTC day. */
  keyUsage: ReadKeyUsage;
  /** Whether browsers connect over https. */
  secureCookies: boolean;
  /** The clock, in milliseconds since 1970. */
  now?: () => number;
}

/** An operator's request whose session is verified and whose route is not yet known. */
interface SignedInRequest {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  method: 'GET' | 'POST';
  session: Session;
}

const emptyForm = { value: () => '', multilineValue: () => '' };

/**
 * Creates the routes below `/admin`, where operators do what the command `keys` does: decide on key
 * requests, manage keys and read the audit log.
 * Every page except the sign-in needs an operator session, and every POST its CSRF token.
 * No page has a script.
 */
export function createAdminPages(options: AdminPagesOptions): Route[] {
  const { keys, password, environment, mailsToOutbox, keyUsage, now = Date.now } = options;
  if (password === '') return [];
  const signIn = createSignIn({ ...options, now });
  const routes: readonly AdminRoute[] = [
    { pattern: /^\/admin\/?$/, get: ({ response }) => redirect(response, '/admin/requests') },
    {
      pattern: /^\/admin\/sign-out$/,
      get: ({ response }) => redirect(response, '/admin'),
      post: ({ request, response }) => signIn.signOut(request, response),
    },
    ...createKeyRequestReviewRoutes({ keys, environment }),
    ...createKeyRequestDecisionRoutes({ keys, environment }),
    ...createKeyRoutes({ keys, environment }),
    ...createKeyActionRoutes({ keys, environment }),
    ...createIssueKeyRoutes({ keys, environment }),
    ...createAuditLogRoutes({ keys, environment }),
  ];

  async function handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const method = formMethod(request);
    if (method === null) sendFormRejection(response, formRejections.methodNotAllowed('GET, HEAD, POST'));
    else if (method === 'POST' && !isSameOriginRequest(request))
      sendFormRejection(response, formRejections.otherOrigin());
    else if (method === 'POST' && path === signInPath) await signIn.submit(request, response);
    else {
      const session = await signIn.findSession(request);
      if (session) await dispatch({ request, response, path, method, session });
      else if (path === signInPath) signIn.show(request, response, queryOf(request).get('to') ?? '');
      else redirect(response, signInUrl(method === 'GET' ? (request.url ?? '') : path));
    }
  }

  async function dispatch(signedIn: SignedInRequest): Promise<void> {
    const { response, path } = signedIn;
    if (path === signInPath) {
      redirect(response, '/admin');
      return;
    }
    for (const route of routes) {
      const match = route.pattern.exec(path);
      if (match) {
        await runRoute(route, match[1] ?? '', signedIn);
        return;
      }
    }
    sendFormRejection(response, formRejections.notFound());
  }

  async function runRoute({ get, post }: AdminRoute, id: string, signedIn: SignedInRequest): Promise<void> {
    const { request, response, session, method } = signedIn;
    const query = queryOf(request);
    const context = { request, response, session, query, id, form: emptyForm, mailsToOutbox, keyUsage };
    if (method === 'GET') {
      await get(context);
      return;
    }
    if (!post) {
      sendFormRejection(response, formRejections.methodNotAllowed('GET, HEAD'));
      return;
    }
    const read = await readForm(request);
    if (read.kind === 'rejected') sendFormRejection(response, read.rejection);
    else if (!equalsInConstantTime(read.form.value('csrf'), session.csrf))
      sendFormRejection(response, formRejections.invalidCsrfToken());
    else await post({ ...context, form: read.form });
  }

  return [
    { path: '/admin', handle },
    { path: '/admin/', handle },
  ];
}
