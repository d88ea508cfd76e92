import type { VNode } from 'preact';
import type { ConcordancePage } from '../api';
import { passagePath } from '../paths';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
import { AsyncData } from './async-data';
import { MarkedContext } from './highlighted';
import { LoadMore } from './load-more';
import { VerseQuote } from './verse-quote';

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
              <VerseQuote key={cursor} reference={verse.reference} path={passagePath(translation, verse.reference)}>
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
