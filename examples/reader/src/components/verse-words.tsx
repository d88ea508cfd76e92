import type { VNode } from 'preact';
import type { VersePlace, Word } from '../api';
import { strongsPath, wordPath } from '../build-page-paths';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
import { AsyncData } from './async-data';
import { CollapsibleSection } from './lazy-collapsible-section';
import { linkTextParts } from './link-text-parts';

/**
 * The text of a verse, whose words are links to the word study, and the Hebrew or Greek words that
 * it translates.
 */
export function VerseWords({ place, text }: { place: VersePlace; text: string }): VNode {
  const { api } = useReader();
  const data = useData((signal) => api.verseWords(place, signal), [api]);
  const words = data.kind === 'loaded' ? data.value : [];
  const entries = [...new Map(words.flatMap(({ strongs }) => strongs).map((entry) => [entry.number, entry])).values()];
  return (
    <>
      <p class="verse-text">{linkTextParts(text, words, (word) => wordPath(place.translation, word.text))}</p>
      {(data.kind !== 'loaded' || entries.length > 0) && (
        <CollapsibleSection title="Hebrew and Greek words">
          {() => (
            <AsyncData data={data}>
              {() => (
                <dl class="strongs">
                  {entries.map(({ number, lemma, transliteration, definition }) => (
                    <div key={number}>
                      <dt>
                        <a href={strongsPath(place.translation, number)}>{number}</a> {lemma} <i>{transliteration}</i>
                        <span class="hint"> {formsOf(number, words)}</span>
                      </dt>
                      <dd>{definition}</dd>
                    </div>
                  ))}
                </dl>
              )}
            </AsyncData>
          )}
        </CollapsibleSection>
      )}
    </>
  );
}

/** The words of the verse that translate a Hebrew or Greek word. */
const formsOf = (number: string, words: readonly Word[]): string =>
  words
    .filter(({ strongs }) => strongs.some((entry) => entry.number === number))
    .map(({ text }) => text)
    .join(' ');
