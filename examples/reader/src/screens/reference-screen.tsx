import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { chapterPath } from '../build-page-paths';
import { AsyncData } from '../components/async-data';
import { formatReference } from '../names';
import { useReader } from '../reader-context';
import { useData } from '../use-data';

/** `/passage?translation=&reference=`: opens the chapter of a reference as people write it. */
export function OpenReferenceScreen(): VNode {
  const { translation = '', reference = '' } = useRoute().query;
  const { route } = useLocation();
  const { api } = useReader();
  const data = useData((signal) => api.passage(translation, reference, signal), [api, translation, reference]);
  const passage = data.kind === 'loaded' ? data.value : null;
  useEffect(() => {
    const first = passage?.verses[0];
    if (!first) return;
    const last = passage.verses.findLast(({ chapter }) => chapter === first.chapter) ?? first;
    // A reference to a whole chapter, such as `Psalms 23`, marks no verse.
    const verse = passage.reference.includes(':') ? `${first.verse}-${last.verse}` : undefined;
    route(chapterPath(translation, first.bookId, first.chapter, { verse }), true);
  }, [passage]);
  return (
    <>
      <h1>
        <bdi>{formatReference(reference)}</bdi>
      </h1>
      <AsyncData data={data}>{() => null}</AsyncData>
    </>
  );
}
