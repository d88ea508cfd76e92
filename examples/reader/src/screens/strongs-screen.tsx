import type { VNode } from 'preact';
import { useRoute } from 'preact-iso';
import { originalPath } from '../build-page-paths';
import { AsyncData } from '../components/async-data';
import { ConcordanceLines } from '../components/concordance-lines';
import { StrongsWord, TextWithOriginals } from '../components/original-text';
import { TextSource } from '../components/translation-text';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
import { useTitle } from '../use-title';

/** `/strongs?translation=&number=`: a Hebrew or Greek word and the verses that translate it. */
export function StrongsScreen(): VNode {
  const { translation = '', number = '' } = useRoute().query;
  useTitle(number);
  return <StrongsEntry key={`${translation} ${number}`} translation={translation} number={number} />;
}

function StrongsEntry({ translation, number }: { translation: string; number: string }): VNode {
  const { api } = useReader();
  const data = useData((signal) => api.strongs(number, signal), [api]);
  return (
    <AsyncData data={data} heading={number || 'Strong’s numbers'}>
      {(entry) => (
        <>
          <h1>
            {number} <StrongsWord entry={entry} />
          </h1>
          {entry.definition !== null && (
            <p class="definition">
              <TextWithOriginals text={entry.definition} />
            </p>
          )}
          <p>
            <a href={originalPath(translation, { strongs: number })}>Lexicons, and every place in the original text</a>
          </p>
          <h2>Concordance</h2>
          <ConcordanceLines
            translation={translation}
            load={(after, signal) => api.strongsConcordance(translation, number, after, signal)}
          />
          <TextSource translation={translation} />
        </>
      )}
    </AsyncData>
  );
}
