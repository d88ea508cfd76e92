import type { VNode } from 'preact';
import { useRoute } from 'preact-iso';
import type { VersePlace } from '../api';
import { Section } from '../components/section';
import { Show } from '../components/show';
import { Commentary, CrossReferences, SimilarVerses, VerseTopics } from '../components/verse-study';
import { VerseWords } from '../components/verse-words';
import { chapterPath } from '../paths';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
import { useTitle } from '../use-title';

/** `/verse/:translation/:book/:chapter/:verse`: what the service knows of a verse. */
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
  useTitle(data.kind === 'loaded' ? data.value.reference : null);
  return (
    <Show data={data} heading={`${book} ${chapter}:${verse}`}>
      {({ reference, text }) => (
        <>
          <h1>{reference}</h1>
          <p>
            <a href={chapterPath(translation, book, chapter, { verse })}>Read it in its chapter</a>
          </p>
          <VerseWords place={place} text={text} />
          <Section title="Cross references" isOpen={true}>
            {() => <CrossReferences {...place} />}
          </Section>
          <Section title="Topics">{() => <VerseTopics {...place} />}</Section>
          <Section title="Commentary">{() => <Commentary {...place} />}</Section>
          <Section title="Verses with a similar meaning">{() => <SimilarVerses {...place} />}</Section>
        </>
      )}
    </Show>
  );
}
