import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Environment, Keys } from '@lectern/keys';
import { KeyRequestError } from '@lectern/keys';
import { createCsrfTokens } from '../forms/csrf';
import type { FieldErrors } from '../forms/form-field';
import { renderErrorSummary, renderField } from '../forms/form-field';
import { formMethod } from '../forms/form-method';
import { formatWait, formRejections, retryAfterHeader, sendFormRejection } from '../forms/form-rejection';
import { isSameOriginRequest } from '../forms/own-page';
import type { ConsumeRateLimit } from '../forms/rate-limit';
import { isRefusal, readForm } from '../forms/read-form';
import { redirect } from '../forms/see-other';
import { html } from '../html';
import { sendPage } from '../page';
import type { Route } from '../route';
import type { KeyRequestFields } from './key-request-form';
import { emptyFields, fields, readFields, validateFields } from './key-request-form';

export interface KeyRequestPagesOptions {
  keys: Pick<Keys, 'submitRequest'>;
  /** Which keys this deployment gives out. */
  environment: Environment;
  /** Every form that is sent counts, also one with mistakes. */
  consumeRateLimit: ConsumeRateLimit;
  /** The deployment's secret: any gateway takes a form that another one made. */
  formSecret: string;
  /** Whether browsers come over https. */
  secureCookies: boolean;
  now?: () => number;
}

const formPath = '/api-keys/request';
const sentPath = '/api-keys/request/sent';
const formStaysOpenSeconds = 4 * 60 * 60;

/** A field that people neither see nor hear nor reach: programs that fill in whatever they find give themselves away. */
const trap = 'homepage';

/**
 * The form on which people ask for a key. Every request that is well formed has the same answer, so that nobody learns from it who holds a key;
 * what became of it goes by email.
 */
export function createKeyRequestPages({
  keys,
  environment,
  consumeRateLimit,
  formSecret,
  secureCookies,
  now = Date.now,
}: KeyRequestPagesOptions): Route[] {
  const tokens = createCsrfTokens({
    secret: formSecret,
    path: '/api-keys',
    secure: secureCookies,
    seconds: formStaysOpenSeconds,
    now,
  });

  interface Shown {
    status: number;
    asked: KeyRequestFields;
    faults: FieldErrors;
    headers?: Readonly<Record<string, string>>;
  }
  const showForm = (
    request: IncomingMessage,
    response: ServerResponse,
    { status, asked, faults, headers }: Shown,
  ): void => {
    const token = tokens.issue(request, response);
    const main = html`<h1>Request an API key</h1>
${renderErrorSummary(faults)}<p>Keys are given by hand. Say who you are and what you need one for; the answer comes by email.</p>
<p>This is the <strong>${environment}</strong> environment: its keys begin with <code>svc_${environment}_</code> and work here alone.</p>
<form method="post" action="${formPath}" novalidate>
<input type="hidden" name="token" value="${token}">
${fields.map((field) => renderField(field, asked[field.name], faults))}<div class="hidden-field" aria-hidden="true"><label for="${trap}">Leave this empty</label><input id="${trap}" name="${trap}" tabindex="-1" autocomplete="off"></div>
<p><button type="submit">Send the request</button></p>
</form>`;
    // Not no-store: a browser that goes back would have forgotten what was typed.
    sendPage(
      response,
      status,
      { title: status === 200 ? 'Request an API key' : 'Problem: Request an API key', main },
      { 'cache-control': 'private, no-cache', ...headers },
    );
  };

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isSameOriginRequest(request)) {
      sendFormRejection(response, formRejections.otherSite());
      return;
    }
    const { allowed, retryAfterSeconds } = await consumeRateLimit(request);
    // Read also where it is not taken: what was typed goes back to be sent later.
    const form = await readForm(request);
    if (isRefusal(form)) {
      sendFormRejection(response, allowed ? form : formRejections.tooMany(retryAfterSeconds));
      return;
    }
    const asked = readFields(form);
    const again = (status: number, faults: FieldErrors, headers = {}) =>
      showForm(request, response, { status, asked, faults, headers });
    if (!allowed) {
      again(
        429,
        {
          '': `That were too many requests from your network. Send this one again in ${formatWait(retryAfterSeconds)}.`,
        },
        retryAfterHeader(retryAfterSeconds),
      );
    } else if (!tokens.accepts(request, form.value('token'))) {
      again(403, {
        '': 'Nothing was sent yet: the form had been open for too long, or your browser refuses cookies. Look it over and send it again.',
      });
    } else if (form.value(trap) === '') {
      const faults = await keep(asked);
      if (Object.keys(faults).length > 0) again(422, faults);
      else redirect(response, sentPath);
    } else {
      redirect(response, sentPath);
    }
  }

  /** Keeps the request, or says what is wrong with it. */
  async function keep(asked: KeyRequestFields): Promise<FieldErrors> {
    const faults = validateFields(asked);
    if (Object.keys(faults).length > 0) return faults;
    try {
      await keys.submitRequest({
        name: asked.name.trim(),
        email: asked.email.trim(),
        description: asked.description.trim(),
        environment,
      });
      return {};
    } catch (error) {
      if (!(error instanceof KeyRequestError)) throw error;
      return { [error.field ?? '']: error.message };
    }
  }

  return [
    {
      path: formPath,
      async handle(request, response) {
        const method = formMethod(request);
        if (method === 'GET') showForm(request, response, { status: 200, asked: emptyFields, faults: {} });
        else if (method === 'POST') await take(request, response);
        else sendFormRejection(response, formRejections.method('GET, HEAD, POST'));
      },
    },
    {
      path: sentPath,
      handle(request, response) {
        if (formMethod(request) === 'GET')
          sendPage(response, 200, {
            title: 'Request sent',
            main: html`<h1>Thank you</h1>
<p>Your request was sent. It is looked at by a person, and the answer comes by email to the address you gave.</p>
<p>Nothing came? Look into the folder for unwanted mail. An address that has a key, or asked for one already, gets no second one.</p>
<p><a href="/reference">Read the reference</a> in the meantime.</p>`,
          });
        else sendFormRejection(response, formRejections.method('GET, HEAD'));
      },
    },
  ];
}
