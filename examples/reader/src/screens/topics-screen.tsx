import type { TargetedSubmitEvent, VNode } from 'preact';
import { useLocation, useRoute } from 'preact-iso';
import type { TopicsPage } from '../api';
import { topicPath, topicsPath } from '../build-page-paths';
import { AsyncData } from '../components/async-data';
import { LoadMore } from '../components/next-page-button';
import { formatVerseCount } from '../format-verse-count';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
import { useTitle } from '../use-title';

/** `/topics?query=`: the topics of a topical Bible. */
export function TopicsScreen(): VNode {
  const { query = '' } = useRoute().query;
  const { route } = useLocation();
  useTitle('Topics');
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    route(topicsPath(String(new FormData(event.currentTarget).get('query')).trim()));
  };
  return (
    <>
      <h1>Topics</h1>
      <form role="search" key={query} class="search-line" onSubmit={submit}>
        <label class="visually-hidden" for="topic">
          Topic
        </label>
        <input id="topic" name="query" type="search" maxLength={100} defaultValue={query} placeholder="Faith" />
        <button type="submit">Find</button>
      </form>
      <Topics key={`topics ${query}`} query={query} />
    </>
  );
}

function Topics({ query, after }: { query: string; after?: string }): VNode {
  const { api } = useReader();
  const data = useData((signal) => api.topics(query, after, signal), [api]);
  return (
    <AsyncData data={data}>
      {({ edges, pageInfo }) => (
        <>
          {after === undefined && <p role="status">{summary(withVerses(edges).length, pageInfo.hasNextPage)}</p>}
          <ul class="topics">
            {withVerses(edges).map(({ id, name, verseCount }) => (
              <li key={id}>
                <a href={topicPath(name)}>{name}</a> <span class="hint">{formatVerseCount(verseCount)}</span>
              </li>
            ))}
          </ul>
          <LoadMore pageInfo={pageInfo}>{(cursor) => <Topics query={query} after={cursor} />}</LoadMore>
        </>
      )}
    </AsyncData>
  );
}

/** The topics with verses. The others only lead to topics with another name. */
const withVerses = (edges: TopicsPage['edges']) =>
  edges.map(({ node }) => node).filter(({ verseCount }) => verseCount > 0);

function summary(count: number, hasNextPage: boolean): string {
  if (count === 0 && !hasNextPage) return 'No topic has these words.';
  const topics = count === 1 ? '1 topic' : `${count} topics`;
  return hasNextPage ? `The first ${topics}.` : `${topics}.`;
}
