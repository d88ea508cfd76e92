import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Column, VersePlace, Word } from '../api';
import { strongsPath, wordPath } from '../build-page-paths';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
import { AsyncData } from './async-data';
import { CollapsibleSection } from './lazy-collapsible-section';
import { linkTextParts, type TextPart } from './link-text-parts';
import { OriginalDialog } from './original-dialog';
import { StrongsWord, TextWithOriginals } from './original-text';
import { useTextAttributes } from './translation-text';

/**
 * The text of a verse, and the Hebrew or Greek words that it translates. A word with a known
 * original is a button that shows the original word. Any other word is a link to its word study.
 */
export function VerseWords({ place, text }: { place: VersePlace; text: string }): VNode {
  const { api } = useReader();
  const data = useData((signal) => api.verseWords(place, signal), [api]);
  const originals = useData((signal) => api.interlinear(place, signal), [api]);
  const [opened, setOpened] = useState<Column | null>(null);
  const attributes = useTextAttributes(place.translation);
  const words = data.kind === 'loaded' ? data.value : [];
  const columns = originals.kind === 'loaded' ? originals.value : [];
  const buttons = columns.flatMap((column) => {
    const [first, last] = [column.words[0], column.words.at(-1)];
    const isButton = column.originalWords.length > 0 && first && last;
    return isButton ? [{ start: first.start, length: last.start + last.length - first.start, column }] : [];
  });
  const isIn = ({ start }: TextPart, part: TextPart): boolean =>
    start >= part.start && start < part.start + part.length;
  const links = words.filter((word) => !buttons.some((button) => isIn(word, button)));
  const parts = [...buttons, ...links].sort((a, b) => a.start - b.start);
  const entries = [...new Map(words.flatMap(({ strongs }) => strongs).map((entry) => [entry.number, entry])).values()];
  return (
    <>
      <p class="verse-text" {...attributes}>
        {linkTextParts(text, parts, (part) =>
          'column' in part ? () => setOpened(part.column) : wordPath(place.translation, part.text),
        )}
      </p>
      {opened && <OriginalDialog column={opened} translation={place.translation} onClose={() => setOpened(null)} />}
      {(data.kind !== 'loaded' || entries.length > 0) && (
        <CollapsibleSection title="Hebrew and Greek words">
          {() => (
            <AsyncData data={data}>
              {() => (
                <dl class="strongs">
                  {entries.map((entry) => (
                    <div key={entry.number}>
                      <dt>
                        <a href={strongsPath(place.translation, entry.number)}>{entry.number}</a>{' '}
                        <StrongsWord entry={entry} />{' '}
                        <bdi class="hint" {...attributes}>
                          {formsOf(entry.number, words)}
                        </bdi>
                      </dt>
                      <dd>{entry.definition !== null && <TextWithOriginals text={entry.definition} />}</dd>
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
