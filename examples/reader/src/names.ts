import { languageTag } from './language-tag';

/**
 * Returns the language of a name: of a book, a translation, or in a reference. A translation
 * without names of its own has English names. They are recognized by their letters if the language
 * has other ones.
 */
export function nameLanguage(name: string, language: string): string | undefined {
  const tag = languageTag(language);
  if (tag === undefined || !/^[\p{Script=Latin}\P{L}]*$/u.test(name)) return tag;
  const { script } = new Intl.Locale(tag).maximize();
  return script === undefined || script === 'Latn' ? tag : 'en';
}

/** The names of the book of Psalms, each with the name of one psalm. Add those of your translations. */
const psalms: readonly (readonly [book: string, psalm: string])[] = [
  ['Psalms', 'Psalm'],
  ['Salmos', 'Salmo'],
  ['Psaumes', 'Psaume'],
  ['Psalmen', 'Psalm'],
  ['Salmi', 'Salmo'],
];

/** Names one psalm as people do: `Psalms 23:1` of the API becomes `Psalm 23:1`. */
export function formatReference(reference: string): string {
  for (const [book, psalm] of psalms)
    if (reference.startsWith(`${book} `) && /^\d+(:|$)/.test(reference.slice(book.length + 1)))
      return psalm + reference.slice(book.length);
  return reference;
}
