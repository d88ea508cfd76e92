import type { VNode } from 'preact';
import { useRoute } from 'preact-iso';
import { passagePath, topicPath } from '../build-page-paths';
import { AsyncData } from '../components/async-data';
import { formatReference } from '../names';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
import { useTitle } from '../use-title';

/** `/topic?name=`: a topic of a topical Bible with its verses. */
export function TopicScreen(): VNode {
  const { name = '' } = useRoute().query;
  const { api, settings } = useReader();
  const data = useData((signal) => api.topic(name, signal), [api, name]);
  useTitle(name);
  return (
    <AsyncData data={data} heading={name || 'Topic'}>
      {({ name, sections, seeAlso, source }) => (
        <>
          <h1>{name}</h1>
          {sections.map(({ heading, entries }) => (
            <section class="topic-section">
              {heading !== null && <h2>{heading}</h2>}
              <ul>
                {entries.map(({ text, references }) => (
                  <li>
                    {text}{' '}
                    {references.map(({ reference }) => (
                      <>
                        <a href={passagePath(settings.translation, reference)}>{formatReference(reference)}</a>{' '}
                      </>
                    ))}
                  </li>
                ))}
              </ul>
            </section>
          ))}
          {seeAlso.length > 0 && (
            <p>
              See also{' '}
              {seeAlso.map((topic) => (
                <>
                  <a href={topicPath(topic.name)}>{topic.name}</a>{' '}
                </>
              ))}
            </p>
          )}
          <p class="attribution">
            {source.title}. {source.licence}
          </p>
        </>
      )}
    </AsyncData>
  );
}
