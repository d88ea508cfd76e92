import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Column, OriginalWord } from '../api';
import { originalPath, wordPath } from '../build-page-paths';
import { LexiconSenses } from './lexicon-senses';
import { OriginalText, SpelledWord } from './original-text';
import { useTextAttributes } from './translation-text';

export const placesPath = (translation: string, { strongsNumber, strongsLetter, lemma }: OriginalWord): string =>
  originalPath(translation, strongsNumber ? { strongs: strongsNumber + (strongsLetter ?? '') } : { lemma });

/**
 * A dialog about the Hebrew or Greek words that a word of a translation renders. The browser closes
 * the dialog on Escape, and then focuses the word again.
 */
export function OriginalDialog({
  column,
  translation,
  onClose,
}: {
  column: Column;
  translation: string;
  onClose(): void;
}): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const { originalWords, rendering, words } = column;
  const attributes = useTextAttributes(translation);
  return (
    <dialog
      ref={dialog}
      class="note"
      aria-label={`Original of “${rendering ?? originalWords.map(({ transliteration }) => transliteration).join(' ')}”`}
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      {originalWords.map((word) => (
        <section key={word.id} class="original-word">
          <h2>
            <SpelledWord word={word} />
          </h2>
          <p>{word.parsing.description}</p>
          <p>
            From <OriginalText text={word.lemma} language={word.language} />
            {word.gloss !== null && `: ${word.gloss}`}
          </p>
          <LexiconSenses translation={translation} number={word.strongsNumber} letter={word.strongsLetter} />
          <p>
            <a href={placesPath(translation, word)}>Every place with this word</a>
          </p>
        </section>
      ))}
      {words.map(({ text }) => (
        <p key={text}>
          <a href={wordPath(translation, text)}>
            Where the translation has “<bdi {...attributes}>{text}</bdi>”
          </a>
        </p>
      ))}
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
