import { maxCharacters } from '@lectern/keys';
import type { FormErrors, FormField } from '../forms/form-fields-and-messages';
import { checkText, presentErrors } from '../forms/form-fields-and-messages';
import type { SubmittedForm } from '../forms/read-form';

/** The values of the form's fields, as they were typed. */
export interface KeyRequestFields {
  readonly name: string;
  readonly email: string;
  readonly description: string;
}

export const emptyFields: KeyRequestFields = { name: '', email: '', description: '' };

export const readFields = (form: SubmittedForm): KeyRequestFields => ({
  name: form.value('name'),
  email: form.value('email'),
  description: form.multilineValue('description'),
});

export const formFields: readonly (FormField & { name: keyof KeyRequestFields })[] = [
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
export const validateFields = ({ name, email, description }: KeyRequestFields): FormErrors =>
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
