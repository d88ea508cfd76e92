import type { VNode } from 'preact';
import { useRoute } from 'preact-iso';
import type { VersePlace } from '../api';
import { chapterPath } from '../build-page-paths';
import { AsyncData } from '../components/async-data';
import { CollapsibleSection } from '../components/lazy-collapsible-section';
import { Name, TextSource, useTranslation } from '../components/translation-text';
import { Commentary, CrossReferences, SimilarVerses, VerseTopics } from '../components/verse-study-lists';
import { VerseWords } from '../components/verse-words';
import { formatReference } from '../names';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
import { useTitle } from '../use-title';

/**
 * `/verse/:translation/:book/:chapter/:verse`: a verse with its words, cross references, topics,
 * commentaries and similar verses.
 */
export function VerseScreen(): VNode {
  const { params } = useRoute();
  const place: VersePlace = {
    translation: params['translation'] ?? '',
    book: params['book'] ?? '',
    chapter: Number(params['chapter']) || 1,
    verse: Number(params['verse']) || 1,
  };
  return <VerseStudy key={Object.values(place).join(' ')} {...place} />;
}

function VerseStudy(place: VersePlace): VNode {
  const { translation, book, chapter, verse } = place;
  const { api } = useReader();
  const data = useData((signal) => api.verse(place, signal), [api]);
  const language = useTranslation(translation)?.language;
  useTitle(data.kind === 'loaded' ? formatReference(data.value.reference) : null);
  return (
    <AsyncData data={data} heading="Verse">
      {({ reference, text }) => (
        <>
          <h1>
            <Name text={reference} language={language} />
          </h1>
          <p>
            <a href={chapterPath(translation, book, chapter, { verse })}>Read it in its chapter</a>
          </p>
          <VerseWords place={place} text={text} />
          <CollapsibleSection title="Cross references" isOpen={true}>
            {() => <CrossReferences {...place} />}
          </CollapsibleSection>
          <CollapsibleSection title="Topics">{() => <VerseTopics {...place} />}</CollapsibleSection>
          <CollapsibleSection title="Commentary">{() => <Commentary {...place} />}</CollapsibleSection>
          <CollapsibleSection title="Verses with a similar meaning">
            {() => <SimilarVerses {...place} />}
          </CollapsibleSection>
          <TextSource translation={translation} />
        </>
      )}
    </AsyncData>
  );
}
