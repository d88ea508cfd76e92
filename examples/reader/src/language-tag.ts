/** Turns a language of the API (ISO 639-3: `eng`) into the value of the attribute `lang` (`en`). Undefined if it is not a language. */
export function languageTag(language: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(language)[0];
  } catch {
    return undefined;
  }
}
