import type { VNode } from 'preact';
import { booksPath, passagePath } from '../build-page-paths';
import { AsyncData } from '../components/async-data';
import { SearchForm } from '../components/search-form';
import { Name, TextSource, useTextAttributes, useTranslation } from '../components/translation-text';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
import { useTitle } from '../use-title';

/** `/`: the verse of the day, and where to go on reading. */
export function HomeScreen(): VNode {
  const { settings } = useReader();
  useTitle('Start');
  return (
    <>
      <h1 class="visually-hidden">Start</h1>
      <VerseOfTheDay translation={settings.translation} />
      <SearchForm query="" mode="BEST" translation={settings.translation} />
      <p class="start-links">
        {settings.lastChapter !== '' && <a href={settings.lastChapter}>Go on reading</a>}
        <a href={booksPath(settings.translation)}>All books</a>
      </p>
    </>
  );
}

function VerseOfTheDay({ translation }: { translation: string }): VNode {
  const { api } = useReader();
  const attributes = useTextAttributes(translation);
  const { name = translation, language } = useTranslation(translation) ?? {};
  const date = localDate(new Date());
  const data = useData((signal) => api.verseOfTheDay(translation, date, signal), [api, translation, date]);
  return (
    <section class="verse-of-the-day" aria-labelledby="verse-of-the-day">
      <h2 id="verse-of-the-day">Verse of the day</h2>
      <AsyncData data={data}>
        {({ text, reference }) =>
          text === '' ? (
            <p class="hint">
              <Name text={name} language={language} /> does not have the verse of this day.
            </p>
          ) : (
            <figure>
              <blockquote {...attributes}>{text}</blockquote>
              <figcaption>
                <a href={passagePath(translation, reference)}>
                  <Name text={reference} language={language} />
                </a>
                <TextSource translation={translation} />
              </figcaption>
            </figure>
          )
        }
      </AsyncData>
    </section>
  );
}

/** The user's date, such as 2025-12-31. */
const localDate = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
