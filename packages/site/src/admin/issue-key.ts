import { environments, type KeyLimits, KeyRequestError, maxCharacters, type NewKey } from '@lectern/keys';
import {
  checkText,
  type FormErrors,
  type FormField,
  hasErrors,
  presentErrors,
  renderField,
  type SubmittedForm,
} from '../forms/form';
import { type Html, html } from '../page';
import { type AdminContext, type AdminRoutes, renderCsrfField, sendAdminPage } from './layout';

export type LimitFields = Readonly<Record<'requestsPerDay' | 'requestsPerMinute', string>>;

/** `documents` is `trusted` if the box "Trusted documents only" is checked, otherwise empty. */
type IssueFields = LimitFields & Readonly<Record<'name' | 'email' | 'environment' | 'documents' | 'expires', string>>;

/** The route `/admin/new-key`, where an operator issues a key without a key request. */
export const issueRoutes: AdminRoutes = {
  '/admin/new-key': {
    get: (context) =>
      showForm(
        context,
        {
          name: '',
          email: '',
          environment: context.environment,
          documents: '',
          expires: '',
          requestsPerDay: '',
          requestsPerMinute: '',
        },
        {},
      ),
    async post(context) {
      const { form } = context;
      const fields = {
        name: form.value('name'),
        email: form.value('email'),
        environment: form.value('environment'),
        documents: form.value('documents'),
        expires: form.value('expires'),
        ...limitFields.read(form),
      };
      const environment = environments.find((each) => each === fields.environment);
      const errors = {
        ...presentErrors({
          name: checkText(fields.name, { what: 'the name of its holder', maxLength: maxCharacters.name }),
          email: checkText(fields.email, { what: 'an email address', maxLength: maxCharacters.email }),
          environment: environment ? null : 'Choose an environment.',
          documents: ['', 'trusted'].includes(fields.documents) ? null : 'Check the box, or leave it unchecked.',
        }),
        ...limitFields.validate(fields),
      };
      if (hasErrors(errors) || !environment) return showForm(context, fields, errors);
      const documents = fields.documents === 'trusted' ? 'trusted' : 'any';
      try {
        const holder = { ...fields, ...limitFields.parse(fields), environment, documents } as const;
        sendIssuedKey(context, await context.keys.issue(holder, context.session.operator));
      } catch (error) {
        if (!(error instanceof KeyRequestError)) throw error;
        showForm(context, fields, { [error.field ?? '']: error.message });
      }
    },
  },
};

/** Shows the key only once, as it is not stored. After a reload, the store rejects a second one for the address. */
export function sendIssuedKey(context: AdminContext, { key, token }: NewKey, note = ''): void {
  const text = `A key was issued for ${key.name}. It is shown only once: hand it over now.${note}`;
  sendAdminPage(context, {
    title: 'The new key',
    flashMessage: { text, kind: 'success' },
    main: html`<pre tabindex="0" aria-label="The key"><code>${token}</code></pre>
<p><a href="/admin/keys/${key.id}">Go to this key</a></p>`,
  });
}

const limitField = {
  kind: 'number',
  isOptional: true,
  hint: 'Leave empty for the default of this deployment.',
} as const;
const limitFieldDefinitions = [
  { ...limitField, name: 'requestsPerDay', label: 'Requests a day' },
  { ...limitField, name: 'requestsPerMinute', label: 'Requests a minute' },
] as const;

const mapLimits = <Value>(map: (name: keyof LimitFields) => Value) => ({
  requestsPerDay: map('requestsPerDay'),
  requestsPerMinute: map('requestsPerMinute'),
});

export const limitFields = {
  of: (limits: KeyLimits): LimitFields => mapLimits((name) => String(limits[name] ?? '')),
  read: (form: SubmittedForm): LimitFields => mapLimits((name) => form.value(name).trim()),
  validate: (fields: LimitFields): FormErrors =>
    presentErrors(
      mapLimits((name) =>
        /^(|[1-9]\d{0,8})$/.test(fields[name])
          ? null
          : 'Enter a whole number from 1 on, or leave this empty for the default.',
      ),
    ),
  parse: (fields: LimitFields) => mapLimits((name) => (fields[name] === '' ? null : Number(fields[name]))),
  render: (values: LimitFields, errors: FormErrors): Html =>
    html`${limitFieldDefinitions.map((field) => renderField(field, values[field.name], errors))}`,
};

const nameField: FormField = { name: 'name', label: 'Holder', kind: 'text' };
const emailField: FormField = {
  name: 'email',
  label: 'Email address',
  kind: 'email',
  hint: 'No mail is sent: the key is shown to you.',
};

const expiryField: FormField = {
  name: 'expires',
  label: 'Expiry',
  kind: 'text',
  isOptional: true,
  hint: 'Such as 90d, or a date, at 00:00 UTC. Leave empty for none.',
};

function showForm(context: AdminContext, fields: IssueFields, errors: FormErrors): void {
  const isInvalid = errors['environment'] !== undefined;
  const options = environments.map(
    (each) => html`<option${each === fields.environment && html` selected`}>${each}</option>`,
  );
  sendAdminPage(context, {
    title: 'Issue a key',
    errors,
    main: html`<form method="post" action="/admin/new-key" novalidate>${renderCsrfField(context.session)}
${renderField(nameField, fields.name, errors)}${renderField(emailField, fields.email, errors)}<div class="field"><label for="environment">Environment</label>
<select id="environment" name="environment"${isInvalid && html` aria-invalid="true"`}>${options}</select></div>
${limitFields.render(fields, errors)}${renderField(expiryField, fields.expires, errors)}<div class="field">
<label><input type="checkbox" id="documents" name="documents" value="trusted" aria-describedby="documents-hint"${fields.documents === 'trusted' && html` checked`}> Trusted documents only</label>
<p class="hint" id="documents-hint">The key may send only the documents of the manifest (TRUSTED_DOCUMENTS). The restriction cannot be changed later.</p>
</div>
<p><button type="submit">Issue the key</button></p>
</form>`,
  });
}
