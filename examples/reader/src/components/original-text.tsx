import type { VNode } from 'preact';
import type { OriginalWord, Word } from '../api';

/** Hebrew (`hbo`) and Aramaic (`arc`) are written from right to left, Greek (`grc`) is not. */
export const directionOf = (language: string): 'rtl' | 'ltr' => (language === 'grc' ? 'ltr' : 'rtl');

/** A text in the letters of its language. `bdi` keeps the order of the text around it. */
export const OriginalText = ({ text, language }: { text: string; language: string }): VNode => (
  <bdi class="original" lang={language} dir={directionOf(language)}>
    {text}
  </bdi>
);

/** A Hebrew or Greek word or phrase in a text of another script. */
const originalRun =
  /([\p{Script=Hebrew}\p{Script=Greek}][\p{Script=Hebrew}\p{Script=Greek}\p{M}]*(?: [\p{Script=Hebrew}\p{Script=Greek}\p{M}]+)*)/u;

/** An English text in which Hebrew and Greek words have their language, direction and font. */
export const TextWithOriginals = ({ text }: { text: string }): VNode => (
  <>
    {text
      .split(originalRun)
      .map((part, index) =>
        index % 2 === 0 ? part : <OriginalText text={part} language={/\p{Script=Greek}/u.test(part) ? 'grc' : 'hbo'} />,
      )}
  </>
);

/** A word in its letters, with all accents, and in Latin ones. */
export const SpelledWord = ({
  word: { surface, transliteration, language },
}: {
  word: Pick<OriginalWord, 'surface' | 'transliteration' | 'language'>;
}): VNode => (
  <>
    <OriginalText text={surface} language={language} /> <i lang={`${language}-Latn`}>{transliteration}</i>
  </>
);

/** The word of a Strong's number, in its letters and in Latin ones. */
export const StrongsWord = ({ entry }: { entry: Word['strongs'][number] }): VNode | null => {
  const { number, lemma, transliteration } = entry;
  if (lemma === null) return null;
  const language = number.startsWith('G') ? 'grc' : 'hbo';
  return <SpelledWord word={{ surface: lemma, transliteration: transliteration ?? '', language }} />;
};
