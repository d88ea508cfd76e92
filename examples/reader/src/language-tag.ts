import type { Translation } from './api';

/**
 * Turns a language code of the API (ISO 639-3, such as `eng`) into a value of the attribute `lang`
 * (`en`). Returns undefined if the text cannot be a language code.
 */
export function languageTag(language: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(language)[0];
  } catch {
    return undefined;
  }
}

/** The attributes `lang` and `dir` of a text of a translation. */
export interface TextAttributes {
  readonly lang: string | undefined;
  readonly dir: 'ltr' | 'rtl';
}

export const textAttributes = ({
  language,
  direction,
}: Pick<Translation, 'language' | 'direction'>): TextAttributes => ({
  lang: languageTag(language),
  dir: direction === 'RTL' ? 'rtl' : 'ltr',
});
