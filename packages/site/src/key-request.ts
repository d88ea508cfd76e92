import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Environment, Keys } from '@lectern/keys';
import { KeyRequestError, maxCharacters } from '@lectern/keys';
import { createCsrfTokens, isSameOriginRequest } from './forms/csrf';
import type { FormErrors, FormField } from './forms/fields';
import { checkText, hasErrors, presentErrors, renderErrorSummary, renderField } from './forms/fields';
import type { ConsumeRateLimit, SubmittedForm } from './forms/form';
import { formatWait, formMethod, formRejections, readForm, retryAfterHeader, sendFormRejection } from './forms/form';
import type { Html } from './html';
import { html } from './html';
import type { Route } from './page';
import { redirect, sendPage } from './page';

/** The values of the form's fields, as they were typed. */
interface KeyRequestFields {
  readonly name: string;
  readonly email: string;
  readonly description: string;
}

const emptyFields: KeyRequestFields = { name: '', email: '', description: '' };

const readFields = (form: SubmittedForm): KeyRequestFields => ({
  name: form.value('name'),
  email: form.value('email'),
  description: form.multilineValue('description'),
});

const formFields: readonly (FormField & { name: keyof KeyRequestFields })[] = [
  { name: 'name', label: 'Your name', kind: 'text', autocomplete: 'name' },
  {
    name: 'email',
    label: 'Email address',
    kind: 'email',
    autocomplete: 'email',
    hint: 'Only the decision and your key are sent to this address.',
  },
  {
    name: 'description',
    label: 'What is the key for?',
    kind: 'multiline',
    autocomplete: 'off',
    hint: `What you are building, and for whom. At most ${maxCharacters.description} characters.`,
  },
];

/**
 * Validates all fields at once, so that people see every mistake.
 * `Keys.submitRequest` validates the address further.
 */
const validateFields = ({ name, email, description }: KeyRequestFields): FormErrors =>
  presentErrors({
    name: checkText(name, { what: 'your name', maxLength: maxCharacters.name }),
    email:
      checkText(email, { what: 'your email address', maxLength: maxCharacters.email }) ??
      (/^[^\s@]+@[^\s@]+$/.test(email.trim()) ? null : 'Enter an email address, such as name@example.org.'),
    description: checkText(description, {
      what: 'what the key is for',
      maxLength: maxCharacters.description,
      multiline: true,
    }),
  });

interface KeyRequestPagesOptions {
  keys: Pick<Keys, 'submitRequest'>;
  /** The environment that this deployment issues keys for. */
  environment: Environment;
  /** Called for every submitted form, including invalid ones. */
  consumeRateLimit: ConsumeRateLimit;
  /** The deployment's secret for CSRF tokens, the same on every gateway. */
  formSecret: string;
  /** Whether browsers connect over https. */
  secureCookies: boolean;
  /** The clock, in milliseconds since 1970. */
  now?: () => number;
}

const formPath = '/api-keys/request';
const sentPath = '/api-keys/request/sent';
const csrfTokenSeconds = 4 * 60 * 60;

/** A field that people cannot see, hear or reach by keyboard. Only bots fill it in. */
const honeypotField = 'homepage';

/** The values, errors and status with which the form is shown. */
interface FormView {
  status: number;
  fields: KeyRequestFields;
  errors: FormErrors;
  headers?: Readonly<Record<string, string>>;
}

/**
 * The routes `/api-keys/request` (the form) and `/api-keys/request/sent` (its confirmation).
 * Every valid form gets the same response, so nobody learns who holds a key.
 * The decision is sent by email.
 */
export function createKeyRequestPages({
  keys,
  environment,
  consumeRateLimit,
  formSecret,
  secureCookies,
  now = Date.now,
}: KeyRequestPagesOptions): Route[] {
  const csrfTokens = createCsrfTokens({
    secret: formSecret,
    path: '/api-keys',
    secure: secureCookies,
    seconds: csrfTokenSeconds,
    now,
  });

  function showForm(request: IncomingMessage, response: ServerResponse, view: FormView): void {
    const token = csrfTokens.issue(request, response);
    sendPage(
      response,
      view.status,
      {
        title: view.status === 200 ? 'Request an API key' : 'Problem: Request an API key',
        main: renderForm(environment, token, view),
      },
      // `no-store` would lose the typed text when the user goes back in the browser.
      { 'cache-control': 'private, no-cache', ...view.headers },
    );
  }

  async function submit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isSameOriginRequest(request)) {
      sendFormRejection(response, formRejections.otherOrigin());
      return;
    }
    const { allowed, retryAfterSeconds } = await consumeRateLimit(request);
    // The form is read even above the rate limit, so that the page can show the typed text again.
    const read = await readForm(request);
    if (read.kind === 'rejected') {
      sendFormRejection(response, allowed ? read.rejection : formRejections.rateLimited(retryAfterSeconds));
      return;
    }
    const fields = readFields(read.form);
    if (!allowed) {
      const message = `There were too many requests from your network. Send this one again in ${formatWait(retryAfterSeconds)}.`;
      showForm(request, response, {
        status: 429,
        fields,
        errors: { '': message },
        headers: retryAfterHeader(retryAfterSeconds),
      });
    } else if (!csrfTokens.verify(request, read.form.value('token'))) {
      const message =
        'Nothing was sent yet: the form was open for too long, or your browser blocks cookies. Check the form and send it again.';
      showForm(request, response, { status: 403, fields, errors: { '': message } });
    } else if (read.form.value(honeypotField) !== '') {
      // A bot gets the response of a success, so that it does not try again without this field.
      redirect(response, sentPath);
    } else {
      const errors = await saveRequest(fields);
      if (hasErrors(errors)) showForm(request, response, { status: 422, fields, errors });
      else redirect(response, sentPath);
    }
  }

  /** Validates and saves the request. Returns no errors on success. */
  async function saveRequest(fields: KeyRequestFields): Promise<FormErrors> {
    const errors = validateFields(fields);
    if (hasErrors(errors)) return errors;
    try {
      await keys.submitRequest({
        name: fields.name.trim(),
        email: fields.email.trim(),
        description: fields.description.trim(),
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
        if (method === 'GET') showForm(request, response, { status: 200, fields: emptyFields, errors: {} });
        else if (method === 'POST') await submit(request, response);
        else sendFormRejection(response, formRejections.methodNotAllowed('GET, HEAD, POST'));
      },
    },
    { path: sentPath, handle: showConfirmation },
  ];
}

const renderForm = (environment: Environment, csrfToken: string, { fields, errors }: FormView): Html =>
  html`<h1>Request an API key</h1>
${renderErrorSummary(errors)}<p>A person reviews each request. Say who you are and what you need the key for; the decision comes by email.</p>
<p>This is the <strong>${environment}</strong> environment: its keys begin with <code>svc_${environment}_</code> and are valid only here.</p>
<form method="post" action="${formPath}" novalidate>
<input type="hidden" name="token" value="${csrfToken}">
${formFields.map((field) => renderField(field, fields[field.name], errors))}<div class="hidden-field" aria-hidden="true"><label for="${honeypotField}">Leave this empty</label><input id="${honeypotField}" name="${honeypotField}" tabindex="-1" autocomplete="off"></div>
<p><button type="submit">Send the request</button></p>
</form>`;

function showConfirmation(request: IncomingMessage, response: ServerResponse): void {
  if (formMethod(request) !== 'GET') {
    sendFormRejection(response, formRejections.methodNotAllowed('GET, HEAD'));
    return;
  }
  sendPage(response, 200, {
    title: 'Request sent',
    main: html`<h1>Thank you</h1>
<p>Your request was sent. A person reviews it, and the decision comes by email to the address you gave.</p>
<p>If no email comes, look into your spam folder. An address that already has a key or a pending request gets no second key.</p>
<p><a href="/reference">Read the reference</a> in the meantime.</p>`,
  });
}
