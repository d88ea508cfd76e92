import escapeHtml from 'escape-html';

/** Markup that is safe to send: only `html` makes it. */
export interface Html {
  readonly markup: string;
}

type Value = Html | readonly Html[] | string | number | null;

/** A template whose values are escaped, unless they are markup themselves. Null and an empty list leave nothing. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  markup: parts.map((part, at) => part + (at < values.length ? shown(values[at] ?? null) : '')).join(''),
});

function shown(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return 'markup' in value ? value.markup : value.map((each) => each.markup).join('');
}
