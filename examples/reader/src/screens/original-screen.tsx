import type { OriginalWordQuery } from '@lectern/client';
import type { VNode } from 'preact';
import { useRoute } from 'preact-iso';
import { passagePath } from '../build-page-paths';
import { AsyncData } from '../components/async-data';
import { VersesByBookChart } from '../components/book-chart';
import { CollapsibleSection } from '../components/lazy-collapsible-section';
import { LexiconSenses } from '../components/lexicon-senses';
import { LoadMore } from '../components/next-page-button';
import { OriginalText, SpelledWord } from '../components/original-text';
import { TextSource } from '../components/translation-text';
import { VerseQuote } from '../components/verse-list-item';
import { formatVerseCount } from '../format-verse-count';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
import { useTitle } from '../use-title';

/** `/original?translation=&strongs=` or `&lemma=`: a Hebrew or Greek word, and every place that has it. */
export function OriginalScreen(): VNode {
  const { translation = '', strongs = '', lemma = '' } = useRoute().query;
  const { settings } = useReader();
  useTitle(strongs || lemma || 'Original word');
  const [, number = null, letter = null] = /^([GH]\d+)([a-z])?$/.exec(strongs) ?? [];
  return (
    <>
      <h1>{strongs || lemma || 'Original word'}</h1>
      <Places
        key={`${translation} ${strongs} ${lemma}`}
        translation={translation || settings.translation}
        word={strongs === '' ? { lemma } : { strongs }}
      >
        <CollapsibleSection title="Lexicons">
          {() => <LexiconSenses translation={translation || settings.translation} number={number} letter={letter} />}
        </CollapsibleSection>
      </Places>
      <TextSource translation={translation || settings.translation} />
    </>
  );
}

interface PlacesProps {
  readonly translation: string;
  readonly word: OriginalWordQuery;
  readonly after?: string;
  /** The elements between the counts and the verses. Only the first page has some. */
  readonly children?: VNode;
}

function Places({ translation, word, after, children }: PlacesProps): VNode {
  const { api } = useReader();
  const data = useData((signal) => api.occurrences(translation, word, after, signal), [api]);
  return (
    <AsyncData data={data}>
      {({ totalCount, wordCount, edges, pageInfo, facets }) => (
        <>
          {after === undefined && (
            <>
              <p role="status">
                {edges[0]?.matches[0] && (
                  <>
                    <OriginalText text={edges[0].matches[0].lemma} language={edges[0].matches[0].language} />,{' '}
                  </>
                )}
                {wordCount.toLocaleString()} {wordCount === 1 ? 'time' : 'times'} in {formatVerseCount(totalCount)}.
              </p>
              {totalCount > 0 && <VersesByBookChart translation={translation} counts={facets.byBook} />}
            </>
          )}
          {children}
          <ul class="verses">
            {edges.map(({ cursor, node, matches }) => (
              <VerseQuote
                key={cursor}
                translation={translation}
                isEmpty={!node.verses?.length}
                reference={node.verses?.[0]?.reference ?? node.reference}
                path={passagePath(translation, node.verses?.[0]?.reference ?? node.reference)}
                notes={matches.map((match) => (
                  <p key={match.id}>
                    <SpelledWord word={match} /> <span class="hint">{match.parsing.description}</span>
                  </p>
                ))}
              >
                {node.verses?.map(({ text }) => text).join(' ')}
              </VerseQuote>
            ))}
          </ul>
          <LoadMore pageInfo={pageInfo}>
            {(cursor) => <Places translation={translation} word={word} after={cursor} />}
          </LoadMore>
        </>
      )}
    </AsyncData>
  );
}
