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
