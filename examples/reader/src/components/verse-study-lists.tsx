import type { ComponentChildren, VNode } from 'preact';
import type { Api, VersePlace } from '../api';
import { passagePath, topicPath, versePath } from '../build-page-paths';
import { formatReference } from '../names';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
import { AsyncData } from './async-data';
import { linkTextParts } from './link-text-parts';
import { TextWithOriginals } from './original-text';
import { VerseQuote } from './verse-list-item';

/** The maximum number of verses that a quotation of a passage shows. */
const maxQuotedVerses = 4;

export const CrossReferences = (place: VersePlace): VNode => (
  <LoadedList load={(api, signal) => api.crossReferences(place, signal)}>
    {({ reference, verses }) => (
      <VerseQuote
        key={reference}
        translation={place.translation}
        reference={reference}
        path={passagePath(place.translation, reference)}
        isEmpty={!verses?.length}
      >
        {verses
          ?.slice(0, maxQuotedVerses)
          .map(({ text }) => text)
          .join(' ')}
        {(verses?.length ?? 0) > maxQuotedVerses && ' …'}
      </VerseQuote>
    )}
  </LoadedList>
);

export const VerseTopics = (place: VersePlace): VNode => (
  <LoadedList load={(api, signal) => api.verseTopics(place, signal)}>
    {({ topic, section, entry }) => (
      <li key={topic.id}>
        <a href={topicPath(topic.name)}>{topic.name}</a>{' '}
        <span class="hint">{[section, entry].filter(Boolean).join(': ')}</span>
      </li>
    )}
  </LoadedList>
);

export const Commentary = (place: VersePlace): VNode => (
  <LoadedList load={(api, signal) => api.commentary(place, signal)}>
    {({ commentary, reference, heading, text, references }) => (
      <li key={`${commentary.id} ${reference} ${heading}`} class="commentary">
        <h3>
          {commentary.source.title}, {formatReference(reference)}
        </h3>
        {heading !== null && <p class="hint">{heading}</p>}
        <p>
          {linkTextParts(text, references, (...named) =>
            passagePath(place.translation, named.map(({ target }) => target.reference).join('; ')),
          ).map((part) => (typeof part === 'string' ? <TextWithOriginals text={part} /> : part))}
        </p>
      </li>
    )}
  </LoadedList>
);

export const SimilarVerses = (place: VersePlace): VNode => (
  <LoadedList load={(api, signal) => api.similarVerses(place, signal)}>
    {({ verse: { id, reference, bookId, chapter, verse, text } }) => (
      <VerseQuote
        key={id}
        translation={place.translation}
        reference={reference}
        path={versePath({ translation: place.translation, book: bookId, chapter, verse })}
      >
        {text}
      </VerseQuote>
    )}
  </LoadedList>
);

interface LoadedListProps<Item> {
  load(api: Api, signal: AbortSignal): Promise<readonly Item[]>;
  /** Renders one item. */
  children(item: Item): ComponentChildren;
}

/** Loads a list about a verse, and shows its items. */
function LoadedList<Item>({ load, children }: LoadedListProps<Item>): VNode {
  const { api } = useReader();
  const data = useData((signal) => load(api, signal), [api]);
  return (
    <AsyncData data={data}>
      {(items) =>
        items.length === 0 ? (
          <p class="hint">Nothing was found for this verse.</p>
        ) : (
          <ul class="verses">{items.map((item) => children(item))}</ul>
        )
      }
    </AsyncData>
  );
}
