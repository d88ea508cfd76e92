import type { Environment, KeyLimits, NewKey } from '@lectern/keys';
import { environments, KeyRequestError, maxCharacters } from '@lectern/keys';
import type { FormErrors, FormField } from '../forms/fields';
import { checkText, hasErrors, presentErrors, renderField } from '../forms/fields';
import type { SubmittedForm } from '../forms/form';
import type { Html } from '../html';
import { html } from '../html';
import type { AdminContext, AdminRoute, AdminRouteOptions } from './layout';
import { operator, renderCsrfField, sendAdminPage } from './layout';

/** The values of the form's fields, as they were typed. */
interface IssueKeyFields {
  readonly name: string;
  readonly email: string;
  readonly environment: string;
  readonly requestsPerDay: string;
  readonly requestsPerMinute: string;
  /** `trusted` if the box is checked, otherwise empty. */
  readonly documents: string;
}

/** The route `/admin/new-key`: issues a key without a key request. */
export const createIssueKeyRoutes = ({ keys, environment }: AdminRouteOptions): AdminRoute[] => [
  {
    pattern: /^\/admin\/new-key$/,
    get: (context) =>
      showForm(
        context,
        { name: '', email: '', environment, requestsPerDay: '', requestsPerMinute: '', documents: '' },
        {},
      ),
    async post(context) {
      const fields = readFields(context.form);
      const chosen = environments.find((each) => each === fields.environment);
      const errors = validateFields(fields, chosen);
      if (hasErrors(errors) || !chosen) {
        showForm(context, fields, errors);
        return;
      }
      try {
        const holder = { name: fields.name.trim(), email: fields.email.trim(), environment: chosen };
        const documents = fields.documents === 'trusted' ? 'trusted' : 'any';
        const issued = await keys.issue({ ...holder, documents, ...limitFields.parse(fields) }, operator);
        sendIssuedKey(context, issued, null);
      } catch (error) {
        if (!(error instanceof KeyRequestError)) throw error;
        showForm(context, fields, { [error.field ?? '']: error.message });
      }
    },
  },
];

/**
 * Shows the key, which is possible only once because the store has no plain keys.
 * A reload submits the form again. The store rejects it, because the address already has a key, or
 * because the key that was to be replaced is already revoked.
 */
export function sendIssuedKey(context: AdminContext, { key, token }: NewKey, note: string | null): void {
  sendAdminPage(context, {
    title: 'The new key',
    flashMessage: {
      text: `A key was issued for ${key.name}. It is shown only once: hand it over now.${note === null ? '' : ` ${note}`}`,
      kind: 'success',
    },
    main: html`<pre tabindex="0" aria-label="The key"><code>${token}</code></pre>
<p><a href="/admin/keys/${key.id}">Go to this key</a></p>`,
  });
}

/** The values of the form fields for a key's limits, as they were typed. */
export type LimitFields = Readonly<Record<keyof KeyLimits, string>>;

const limitLabels = { requestsPerDay: 'Requests a day', requestsPerMinute: 'Requests a minute' } as const;

/**
 * The form fields for a key's requests per day and per minute.
 * An empty field stands for the deployment's default.
 */
export const limitFields = {
  of: ({ requestsPerDay, requestsPerMinute }: KeyLimits): LimitFields => ({
    requestsPerDay: String(requestsPerDay ?? ''),
    requestsPerMinute: String(requestsPerMinute ?? ''),
  }),
  read: (form: SubmittedForm): LimitFields => ({
    requestsPerDay: form.value('requestsPerDay').trim(),
    requestsPerMinute: form.value('requestsPerMinute').trim(),
  }),
  render: (values: LimitFields, errors: FormErrors): Html =>
    html`${(['requestsPerDay', 'requestsPerMinute'] as const).map((name) =>
      renderField(
        {
          name,
          label: limitLabels[name],
          kind: 'number',
          autocomplete: 'off',
          isOptional: true,
          hint: 'Leave empty for the default of this deployment.',
        },
        values[name],
        errors,
      ),
    )}`,
  /** Returns the error messages of the two limits, if they are invalid. */
  validate: ({ requestsPerDay, requestsPerMinute }: LimitFields): FormErrors =>
    presentErrors({
      requestsPerDay: validateLimit(requestsPerDay),
      requestsPerMinute: validateLimit(requestsPerMinute),
    }),
  parse: ({ requestsPerDay, requestsPerMinute }: LimitFields): KeyLimits => ({
    requestsPerDay: parseLimit(requestsPerDay),
    requestsPerMinute: parseLimit(requestsPerMinute),
  }),
};

const validateLimit = (value: string): string | null =>
  /^(|[1-9]\d{0,8})$/.test(value) ? null : 'Enter a whole number from 1 on, or leave this empty for the default.';

const parseLimit = (value: string): number | null => (value === '' ? null : Number(value));

const readFields = (form: SubmittedForm): IssueKeyFields => ({
  name: form.value('name'),
  email: form.value('email'),
  environment: form.value('environment'),
  documents: form.value('documents'),
  ...limitFields.read(form),
});

const validateFields = (fields: IssueKeyFields, environment: Environment | undefined): FormErrors => {
  const { name, email, documents } = fields;
  const errors = presentErrors({
    name: checkText(name, { what: 'the name of its holder', maxLength: maxCharacters.name }),
    email: checkText(email, { what: 'an email address', maxLength: maxCharacters.email }),
    environment: environment ? null : 'Choose an environment.',
    documents: ['', 'trusted'].includes(documents) ? null : 'Check the box, or leave it unchecked.',
  });
  return { ...errors, ...limitFields.validate(fields) };
};

const nameField: FormField = { name: 'name', label: 'Holder', kind: 'text', autocomplete: 'off' };
const emailField: FormField = {
  name: 'email',
  label: 'Email address',
  kind: 'email',
  autocomplete: 'off',
  hint: 'No mail is sent: the key is shown to you.',
};

const renderTrustedDocumentsBox = (isChecked: boolean): Html => html`<div class="field">
<label><input type="checkbox" id="documents" name="documents" value="trusted" aria-describedby="documents-hint"${isChecked ? html` checked` : null}> Trusted documents only</label>
<p class="hint" id="documents-hint">The key may send only the documents of the manifest (TRUSTED_DOCUMENTS). The restriction cannot be changed later.</p>
</div>
`;

function showForm(context: AdminContext, fields: IssueKeyFields, errors: FormErrors): void {
  const invalidEnvironment = errors['environment'] === undefined ? null : html` aria-invalid="true"`;
  const options = environments.map(
    (each) => html`<option${each === fields.environment ? html` selected` : null}>${each}</option>`,
  );
  sendAdminPage(context, {
    title: 'Issue a key',
    status: hasErrors(errors) ? 422 : 200,
    errors,
    main: html`<form method="post" action="/admin/new-key" novalidate>${renderCsrfField(context.session)}
${renderField(nameField, fields.name, errors)}${renderField(emailField, fields.email, errors)}<div class="field"><label for="environment">Environment</label>
<select id="environment" name="environment"${invalidEnvironment}>${options}</select></div>
${limitFields.render(fields, errors)}${renderTrustedDocumentsBox(fields.documents === 'trusted')}<p><button type="submit">Issue the key</button></p>
</form>`,
  });
}
