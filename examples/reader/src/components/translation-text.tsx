import type { VNode } from 'preact';
import type { Translation } from '../api';
import { type TextAttributes, textAttributes } from '../language-tag';
import { formatReference, nameLanguage } from '../names';
import { useReader } from '../reader-context';

/** The translation with this identifier. Undefined until the translations are loaded, and if there is none. */
export const useTranslation = (identifier: string): Translation | undefined =>
  useReader().translations.find((each) => each.identifier === identifier);

/** The attributes `lang` and `dir` for a text of a translation. */
export function useTextAttributes(identifier: string): Partial<TextAttributes> {
  const translation = useTranslation(identifier);
  return translation ? textAttributes(translation) : {};
}

/**
 * A reference, or the name of a book or a translation, in its language. `bdi` keeps the order of
 * the text around it.
 */
export function Name({ text, language }: { text: string; language: string | undefined }): VNode {
  return <bdi lang={language && nameLanguage(text, language)}>{formatReference(text)}</bdi>;
}

/**
 * The line that the licence of a translation asks for beside its texts. If it asks for none, the
 * name of the translation and the note of its source.
 */
export function TextSource({ translation: identifier }: { translation: string }): VNode | null {
  const translation = useTranslation(identifier);
  if (translation === undefined) return null;
  const { name, language, attribution, licence } = translation;
  return (
    <p class="attribution" dir="ltr" lang="en">
      <Name text={attribution ?? name} language={language} />
      {attribution === null && `. ${licence.attribution}`}
    </p>
  );
}
