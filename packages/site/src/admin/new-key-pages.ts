import type { Environment, NewKey } from '@lectern/keys';
import { environments, KeyRequestError, maxCharacters } from '@lectern/keys';
import type { Faults } from '../forms/field';
import { faultOfText, renderField } from '../forms/field';
import { html } from '../html';
import { csrfField, sendAdminPage } from './admin-page';
import { quotaField } from './quota-field';
import type { AdminParts, AdminRoute, Visit } from './visit';
import { operator } from './visit';

interface Asked {
  readonly name: string;
  readonly email: string;
  readonly environment: string;
  readonly requestsPerDay: string;
}

/** Issuing a key without a request. */
export function createNewKeyPages({ keys, environment }: AdminParts): AdminRoute[] {
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
          sendNewKey(visit, issued, null);
        } catch (error) {
          if (!(error instanceof KeyRequestError)) throw error;
          showForm(visit, asked, { [error.field ?? '']: error.message });
        }
      },
    },
  ];
}

/** The one time that a key is shown. Loading the page again sends its form again, which makes no second key: the address has this one. */
export function sendNewKey(visit: Visit, { key, token }: NewKey, note: string | null): void {
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

function faultsOf({ name, email, requestsPerDay }: Asked, chosen: Environment | undefined): Faults {
  const found = {
    name: faultOfText(name, { what: 'the name of its holder', most: maxCharacters.name }),
    email: faultOfText(email, { what: 'an email address', most: maxCharacters.email }),
    environment: chosen ? null : 'Choose an environment.',
    requestsPerDay: quotaField.faultOf(requestsPerDay),
  };
  return Object.fromEntries(
    Object.entries(found).flatMap(([field, fault]) => (fault === null ? [] : [[field, fault]])),
  );
}

function showForm(visit: Visit, asked: Asked, faults: Faults): void {
  const fault = faults['environment'];
  sendAdminPage(visit, {
    title: 'Issue a key',
    status: Object.keys(faults).length > 0 ? 422 : 200,
    faults,
    main: html`<form method="post" action="/admin/new-key" novalidate>${csrfField(visit.session)}
${renderField({ name: 'name', label: 'Holder', kind: 'text', autocomplete: 'off' }, asked.name, faults)}${renderField({ name: 'email', label: 'Email address', kind: 'email', autocomplete: 'off', hint: 'No mail is sent: the key is shown to you.' }, asked.email, faults)}<div class="field"><label for="environment">Environment</label>
<select id="environment" name="environment"${fault === undefined ? null : html` aria-invalid="true"`}>${environments.map((each) => html`<option${each === asked.environment ? html` selected` : null}>${each}</option>`)}</select></div>
${quotaField.render(asked.requestsPerDay, faults)}<p><button type="submit">Issue the key</button></p>
</form>`,
  });
}
