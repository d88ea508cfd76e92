import type { ComponentChildren, VNode } from 'preact';
import type { VersePlace } from '../api';
import { passagePath, topicPath, versePath } from '../paths';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
import { AsyncData } from './async-data';
import { linkParts } from './link-parts';
import { VerseQuote } from './verse-quote';

/** Longer passages are shown up to this verse. */
const maxQuotedVerses = 4;

export function CrossReferences(place: VersePlace): VNode {
  const { api } = useReader();
  const data = useData((signal) => api.crossReferences(place, signal), [api]);
  return (
    <AsyncData data={data}>
      {(references) => (
        <ListOrNothing items={references}>
          {({ reference, verses }) => (
            <VerseQuote key={reference} reference={reference} path={passagePath(place.translation, reference)}>
              {verses
                ?.slice(0, maxQuotedVerses)
                .map(({ text }) => text)
                .join(' ')}
              {(verses?.length ?? 0) > maxQuotedVerses && ' …'}
            </VerseQuote>
          )}
        </ListOrNothing>
      )}
    </AsyncData>
  );
}

export function VerseTopics(place: VersePlace): VNode {
  const { api } = useReader();
  const data = useData((signal) => api.verseTopics(place, signal), [api]);
  return (
    <AsyncData data={data}>
      {(topics) => (
        <ListOrNothing items={topics}>
          {({ topic, section, entry }) => (
            <li key={topic.id}>
              <a href={topicPath(topic.name)}>{topic.name}</a>{' '}
              <span class="hint">{[section, entry].filter(Boolean).join(': ')}</span>
            </li>
          )}
        </ListOrNothing>
      )}
    </AsyncData>
  );
}

export function Commentary(place: VersePlace): VNode {
  const { api } = useReader();
  const data = useData((signal) => api.commentary(place, signal), [api]);
  return (
    <AsyncData data={data}>
      {(notes) => (
        <ListOrNothing items={notes}>
          {({ commentary, reference, heading, text, references }) => (
            <li key={`${commentary.id} ${reference} ${heading}`} class="commentary">
              <h3>
                {commentary.source.title}, {reference}
              </h3>
              {heading !== null && <p class="hint">{heading}</p>}
              <p>
                {linkParts(text, references, (...named) =>
                  passagePath(place.translation, named.map(({ target }) => target.reference).join('; ')),
                )}
              </p>
            </li>
          )}
        </ListOrNothing>
      )}
    </AsyncData>
  );
}

export function SimilarVerses(place: VersePlace): VNode {
  const { api } = useReader();
  const data = useData((signal) => api.similarVerses(place, signal), [api]);
  return (
    <AsyncData data={data}>
      {(results) => (
        <ListOrNothing items={results}>
          {({ verse: { id, reference, bookId, chapter, verse, text } }) => (
            <VerseQuote
              key={id}
              reference={reference}
              path={versePath({ translation: place.translation, book: bookId, chapter, verse })}
            >
              {text}
            </VerseQuote>
          )}
        </ListOrNothing>
      )}
    </AsyncData>
  );
}

function ListOrNothing<Item>({
  items,
  children,
}: {
  items: readonly Item[];
  children: (item: Item) => ComponentChildren;
}): VNode {
  if (items.length === 0) return <p class="hint">Nothing was found for this verse.</p>;
  return <ul class="verses">{items.map((item) => children(item))}</ul>;
}
