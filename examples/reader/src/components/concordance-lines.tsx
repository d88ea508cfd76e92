import type { VNode } from 'preact';
import type { ConcordancePage } from '../api';
import { passagePath } from '../build-page-paths';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
import { AsyncData } from './async-data';
import { MarkedContext } from './highlighted';
import { LoadMore } from './next-page-button';
import { VerseQuote } from './verse-list-item';

export interface ConcordanceLinesProps {
  readonly translation: string;
  readonly after?: string;
  load(after: string | undefined, signal: AbortSignal): Promise<ConcordancePage>;
}

/** The verses of a concordance that `load` returns, with a button to load the next page. */
export function ConcordanceLines(props: ConcordanceLinesProps): VNode {
  const { translation, after, load } = props;
  const { api } = useReader();
  const data = useData((signal) => load(after, signal), [api]);
  return (
    <AsyncData data={data}>
      {({ edges, pageInfo }) => (
        <>
          <ul class="verses">
            {edges.map(({ cursor, node: { verse, context } }) => (
              <VerseQuote
                key={cursor}
                translation={translation}
                reference={verse.reference}
                path={passagePath(translation, verse.reference)}
              >
                <MarkedContext html={context} />
              </VerseQuote>
            ))}
          </ul>
          <LoadMore pageInfo={pageInfo}>{(cursor) => <ConcordanceLines {...props} after={cursor} />}</LoadMore>
        </>
      )}
    </AsyncData>
  );
}
