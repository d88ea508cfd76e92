import type { FieldErrors } from '../forms/form-field';
import { renderField } from '../forms/form-field';
import type { Html } from '../html';

/** The field for how many requests a key has a day. Empty stands for as many as every key. */
export const quotaField = {
  render: (value: string, faults: FieldErrors): Html =>
    renderField(
      {
        name: 'requestsPerDay',
        label: 'Requests a day',
        kind: 'number',
        autocomplete: 'off',
        isOptional: true,
        hint: 'Empty for as many as every key has.',
      },
      value,
      faults,
    ),
  /** Why it cannot be taken; null when it can. */
  faultOf: (value: string): string | null =>
    /^(|[1-9]\d{0,8})$/.test(value) ? null : 'Enter a whole number from 1 on, or nothing for as many as every key has.',
  read: (value: string): number | null => (value === '' ? null : Number(value)),
};
