import { maxCharacters } from '@lectern/keys';
import type { FieldErrors, FormField } from '../forms/form-field';
import { validateText } from '../forms/form-field';
import type { SubmittedForm } from '../forms/read-form';

/** What the form asks for, as it was typed. */
export interface KeyRequestFields {
  readonly name: string;
  readonly email: string;
  readonly description: string;
}

export const emptyFields: KeyRequestFields = { name: '', email: '', description: '' };

export const readFields = (form: SubmittedForm): KeyRequestFields => ({
  name: form.value('name'),
  email: form.value('email'),
  description: form.lines('description'),
});

export const fields: readonly (FormField & { name: keyof KeyRequestFields })[] = [
  { name: 'name', label: 'Your name', kind: 'text', autocomplete: 'name' },
  {
    name: 'email',
    label: 'Email address',
    kind: 'email',
    autocomplete: 'email',
    hint: 'The key is sent to this address, and nothing else is.',
  },
  {
    name: 'description',
    label: 'What is the key for?',
    kind: 'lines',
    autocomplete: 'off',
    hint: `What you are building, and for whom. At most ${maxCharacters.description} characters.`,
  },
];

/** Everything at once, so that nobody has to send the form once for each mistake. What else an address may not be, the keys' store says. */
export function validateFields({ name, email, description }: KeyRequestFields): FieldErrors {
  const found = {
    name: validateText(name, { what: 'your name', most: maxCharacters.name }),
    email:
      validateText(email, { what: 'your email address', most: maxCharacters.email }) ??
      (/^[^\s@]+@[^\s@]+$/.test(email.trim()) ? null : 'Enter an email address, such as name@example.org.'),
    description: validateText(description, {
      what: 'what the key is for',
      most: maxCharacters.description,
      lines: true,
    }),
  };
  return Object.fromEntries(
    Object.entries(found).flatMap(([field, fault]) => (fault === null ? [] : [[field, fault]])),
  );
}
