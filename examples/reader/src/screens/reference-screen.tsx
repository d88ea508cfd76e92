import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { chapterPath } from '../build-page-paths';
import { AsyncData } from '../components/async-data';
import { useReader } from '../reader-context';
import { useData } from '../use-data';

/** `/passage?translation=&reference=`: opens the chapter of a reference as people write it. */
export function OpenReferenceScreen(): VNode {
  const { translation = '', reference = '' } = useRoute().query;
  const { route } = useLocation();
  const { api } = useReader();
  const data = useData((signal) => api.passage(translation, reference, signal), [api, translation, reference]);
  const first = data.kind === 'loaded' ? data.value.verses[0] : undefined;
  useEffect(() => {
    if (first) route(chapterPath(translation, first.bookId, first.chapter, { verse: first.verse }), true);
  }, [first]);
  return (
    <>
      <h1>{reference}</h1>
      <AsyncData data={data}>{() => null}</AsyncData>
    </>
  );
}
