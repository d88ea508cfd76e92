import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Html, type HttpHeaders, html, redirect, sendPage } from '../page';
import { createCsrfTokens } from './cookies';
import { type FormErrors, type FormField, type FormOptions, readForm, renderErrorSummary, renderField } from './form';

interface SignInFormOptions extends FormOptions {
  /** The path of the form. The cookie of its CSRF token has the parent path. */
  path: string;
  /** The field for the password or the API key. It is the only field that people fill in. */
  field: FormField;
  intro: (request: IncomingMessage, returnPath: string, status: number) => Html | string;
  /** Returns the path to open after the sign-in. `path` is the path that the client sent, so it must be checked. */
  safeReturnPath: (path: string) => string;
  /** The errors to show if the CSRF token of the form is missing or too old. */
  expired: FormErrors;
}

export interface SignInView {
  /** The path to open after the sign-in, as the client sent it. */
  to: string;
  status?: number;
  errors?: FormErrors;
  headers?: HttpHeaders;
}

/** Creates a form that asks for a password or an API key, for browsers that are not signed in. */
export function createSignInForm({ path, field, intro, safeReturnPath, expired, ...options }: SignInFormOptions) {
  const csrfTokens = createCsrfTokens(path.slice(0, path.lastIndexOf('/')), options);

  function show(
    request: IncomingMessage,
    response: ServerResponse,
    { to, status = 200, errors = {}, headers = {} }: SignInView,
  ): void {
    const returnPath = safeReturnPath(to);
    const token = csrfTokens.issue(request, response);
    const main = html`<h1>Sign in</h1>
${renderErrorSummary(errors)}<p>${intro(request, returnPath, status)}</p>
<form method="post" action="${path}" novalidate>
<input type="hidden" name="token" value="${token}"><input type="hidden" name="to" value="${returnPath}">
${renderField(field, '', errors)}<p><button type="submit">Sign in</button></p>
</form>`;
    sendPage(response, status, { title: status === 200 ? 'Sign in' : 'Problem: Sign in', main }, headers);
  }

  return {
    csrfTokens,
    show,
    /** Reads the form. `signIn` receives the password or key, and returns errors or sets a cookie. */
    async submit(
      request: IncomingMessage,
      response: ServerResponse,
      signIn: (secret: string) => Promise<FormErrors | null>,
    ): Promise<void> {
      const form = await readForm(request, response);
      if (!form) return;
      const to = form.value('to');
      const isValid = csrfTokens.verify(request, form.value('token'));
      const errors = isValid ? await signIn(form.value(field.name)) : expired;
      if (errors) show(request, response, { to, status: 403, errors });
      else redirect(response, safeReturnPath(to));
    },
  };
}
