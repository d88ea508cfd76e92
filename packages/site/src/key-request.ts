import type { IncomingMessage, ServerResponse } from 'node:http';
import { KeyRequestError, maxCharacters } from '@lectern/keys';
import type { Route } from '@lectern/serving';
import { createCsrfTokens } from './forms/cookies';
import {
  acceptMethod,
  checkText,
  type FormErrors,
  type FormField,
  type FormOptions,
  formatWait,
  hasErrors,
  presentErrors,
  readForm,
  renderErrorSummary,
  renderField,
  retryAfterHeader,
  type SubmittedForm,
} from './forms/form';
import { type HttpHeaders, html, redirect, sendPage } from './page';

const formFields = [
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
    hint: `What you are building, and for whom. At most ${maxCharacters.description} characters.`,
  },
] as const satisfies readonly FormField[];

/** The values of the form fields, as the user typed them. */
type KeyRequestFields = Readonly<Record<(typeof formFields)[number]['name'], string>>;

const readFields = (form: SubmittedForm): KeyRequestFields => ({
  name: form.value('name'),
  email: form.value('email'),
  description: form.multilineValue('description'),
});

/** Validates all fields of the form. `Keys.submitRequest` validates the email address more strictly. */
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

const formPath = '/api-keys/request';
const sentPath = '/api-keys/request/sent';

/** The name of a field that people cannot see, hear or reach with the keyboard. Only bots fill it in. */
const honeypotField = 'homepage';

interface FormView {
  status?: number;
  fields?: KeyRequestFields;
  errors?: FormErrors;
  headers?: HttpHeaders;
}

/** The confirmation is the same for every address, so that nobody can find out who has a key. */
export function createKeyRequestPages(options: FormOptions): Route[] {
  const { keys, environment, consumeRateLimit } = options;
  const csrfTokens = createCsrfTokens('/api-keys', options);

  function showForm(
    request: IncomingMessage,
    response: ServerResponse,
    { status = 200, fields = { name: '', email: '', description: '' }, errors = {}, headers }: FormView,
  ): void {
    const token = csrfTokens.issue(request, response);
    const main = html`<h1>Request an API key</h1>
${renderErrorSummary(errors)}<p>A person reviews each request. Say who you are and what you need the key for; the decision comes by email.</p>
<p>This is the <strong>${environment}</strong> environment: its keys begin with <code>svc_${environment}_</code> and are valid only here.</p>
<form method="post" action="${formPath}" novalidate>
<input type="hidden" name="token" value="${token}">
${formFields.map((field) => renderField(field, fields[field.name], errors))}<div class="hidden-field" aria-hidden="true"><label for="${honeypotField}">Leave this empty</label><input id="${honeypotField}" name="${honeypotField}" tabindex="-1" autocomplete="off"></div>
<p><button type="submit">Send the request</button></p>
</form>`;
    const title = status === 200 ? 'Request an API key' : 'Problem: Request an API key';
    // The page must not have `no-store`: the user would lose the typed text by going back in the browser.
    sendPage(response, status, { title, main }, { 'cache-control': 'private, no-cache', ...headers });
  }

  async function submit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { allowed, retryAfterSeconds } = await consumeRateLimit(request);
    // The form is read even above the rate limit, so that the page can show the typed text again.
    const form = await readForm(request, response);
    if (!form) return;
    const fields = readFields(form);
    const problem = (status: number, errors: FormErrors, headers?: HttpHeaders) =>
      showForm(request, response, { status, fields, errors, headers });
    if (!allowed) {
      const message = `There were too many requests from your network. Send this one again in ${formatWait(retryAfterSeconds)}.`;
      problem(429, { '': message }, retryAfterHeader(retryAfterSeconds));
    } else if (!csrfTokens.verify(request, form.value('token'))) {
      const message =
        'Nothing was sent yet: the form was open for too long, or your browser blocks cookies. Check the form and send it again.';
      problem(403, { '': message });
    } else {
      // A bot that fills in the hidden field sees a success, so that it does not try again without it.
      const errors = form.value(honeypotField) === '' ? await saveRequest(fields) : {};
      if (hasErrors(errors)) problem(422, errors);
      else redirect(response, sentPath);
    }
  }

  /** Stores the key request. Resolves with the errors of the form, none on success. */
  async function saveRequest(fields: KeyRequestFields): Promise<FormErrors> {
    const errors = validateFields(fields);
    if (hasErrors(errors)) return errors;
    try {
      await keys.submitRequest({ ...fields, environment });
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
        const method = acceptMethod(request, response, 'GET, HEAD, POST');
        if (method === 'GET') showForm(request, response, {});
        else if (method === 'POST') await submit(request, response);
      },
    },
    { path: sentPath, handle: showConfirmation },
  ];
}

function showConfirmation(request: IncomingMessage, response: ServerResponse): void {
  if (!acceptMethod(request, response, 'GET, HEAD')) return;
  sendPage(response, 200, {
    title: 'Request sent',
    main: html`<h1>Thank you</h1>
<p>Your request was sent. A person reviews it, and the decision comes by email to the address you gave.</p>
<p>If no email comes, look into your spam folder. An address that already has a key or a pending request gets no second key.</p>
<p><a href="/reference">Read the reference</a> in the meantime.</p>`,
  });
}
