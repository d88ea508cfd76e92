import type { Environment, NewKey } from '@lectern/keys';
import { environments, KeyRequestError, maxCharacters } from '@lectern/keys';
import type { FieldErrors } from '../forms/form-field';
import { renderField, validateText } from '../forms/form-field';
import { html } from '../html';
import { renderCsrfField, sendAdminPage } from './admin-layout';
import type { AdminContext, AdminRoute, AdminRouteOptions } from './admin-route';
import { operator } from './admin-route';
import { quotaField } from './quota-field';

interface Asked {
  readonly name: string;
  readonly email: string;
  readonly environment: string;
  readonly requestsPerDay: string;
}

/** Issuing a key without a request. */
export function createIssueKeyRoutes({ keys, environment }: AdminRouteOptions): AdminRoute[] {
  return [
    {
      pattern: /^\/admin\/new-key$/,
      get: (visit) => showForm(visit, { name: '', email: '', environment, requestsPerDay: '' }, {}),
      async post(visit) {
        const { form } = visit;
        const asked: Asked = {
          name: form.value('name'),
          email: form.value('email'),
          environment: form.value('environment'),
          requestsPerDay: form.value('requestsPerDay').trim(),
        };
        const chosen = environments.find((each) => each === asked.environment);
        const faults = faultsOf(asked, chosen);
        if (Object.keys(faults).length > 0 || !chosen) {
          showForm(visit, asked, faults);
          return;
        }
        try {
          const issued = await keys.issue(
            {
              name: asked.name.trim(),
              email: asked.email.trim(),
              environment: chosen,
              requestsPerDay: quotaField.read(asked.requestsPerDay),
            },
            operator,
          );
          sendIssuedKey(visit, issued, null);
        } catch (error) {
          if (!(error instanceof KeyRequestError)) throw error;
          showForm(visit, asked, { [error.field ?? '']: error.message });
        }
      },
    },
  ];
}

/** The one time that a key is shown. Loading the page again sends its form again, which makes no second key: the address has this one. */
export function sendIssuedKey(visit: AdminContext, { key, token }: NewKey, note: string | null): void {
  sendAdminPage(visit, {
    title: 'The new key',
    notice: {
      text: `A key was made for ${key.name}. It is shown this once: hand it over now.${note === null ? '' : ` ${note}`}`,
      kind: 'good',
    },
    main: html`<pre tabindex="0" aria-label="The key"><code>${token}</code></pre>
<p><a href="/admin/keys/${key.id}">Go to this key</a></p>`,
  });
}

function faultsOf({ name, email, requestsPerDay }: Asked, chosen: Environment | undefined): FieldErrors {
  const found = {
    name: validateText(name, { what: 'the name of its holder', most: maxCharacters.name }),
    email: validateText(email, { what: 'an email address', most: maxCharacters.email }),
    environment: chosen ? null : 'Choose an environment.',
    requestsPerDay: quotaField.faultOf(requestsPerDay),
  };
  return Object.fromEntries(
    Object.entries(found).flatMap(([field, fault]) => (fault === null ? [] : [[field, fault]])),
  );
}

function showForm(visit: AdminContext, asked: Asked, faults: FieldErrors): void {
  const fault = faults['environment'];
  sendAdminPage(visit, {
    title: 'Issue a key',
    status: Object.keys(faults).length > 0 ? 422 : 200,
    faults,
    main: html`<form method="post" action="/admin/new-key" novalidate>${renderCsrfField(visit.session)}
${renderField({ name: 'name', label: 'Holder', kind: 'text', autocomplete: 'off' }, asked.name, faults)}${renderField({ name: 'email', label: 'Email address', kind: 'email', autocomplete: 'off', hint: 'No mail is sent: the key is shown to you.' }, asked.email, faults)}<div class="field"><label for="environment">Environment</label>
<select id="environment" name="environment"${fault === undefined ? null : html` aria-invalid="true"`}>${environments.map((each) => html`<option${each === asked.environment ? html` selected` : null}>${each}</option>`)}</select></div>
${quotaField.render(asked.requestsPerDay, faults)}<p><button type="submit">Issue the key</button></p>
</form>`,
  });
}
