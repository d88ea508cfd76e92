import { maxCharacters } from '@lectern/keys';
import type { Faults, Field } from '../forms/field';
import { faultOfText } from '../forms/field';
import type { Form } from '../forms/read-form';

/** What the form asks for, as it was typed. */
export interface AskedForKey {
  readonly name: string;
  readonly email: string;
  readonly description: string;
}

export const emptyForm: AskedForKey = { name: '', email: '', description: '' };

export const readAsked = (form: Form): AskedForKey => ({
  name: form.value('name'),
  email: form.value('email'),
  description: form.lines('description'),
});

export const fields: readonly (Field & { name: keyof AskedForKey })[] = [
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
export function faultsOf({ name, email, description }: AskedForKey): Faults {
  const found = {
    name: faultOfText(name, { what: 'your name', most: maxCharacters.name }),
    email:
      faultOfText(email, { what: 'your email address', most: maxCharacters.email }) ??
      (/^[^\s@]+@[^\s@]+$/.test(email.trim()) ? null : 'Enter an email address, such as name@example.org.'),
    description: faultOfText(description, {
      what: 'what the key is for',
      most: maxCharacters.description,
      lines: true,
    }),
  };
  return Object.fromEntries(
    Object.entries(found).flatMap(([field, fault]) => (fault === null ? [] : [[field, fault]])),
  );
}
