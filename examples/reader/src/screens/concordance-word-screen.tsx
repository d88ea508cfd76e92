import type { TargetedSubmitEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { wordPath } from '../build-page-paths';
import { AsyncData } from '../components/async-data';
import { VersesByBookChart } from '../components/book-chart';
import { ConcordanceLines } from '../components/concordance-lines';
import { CollapsibleSection } from '../components/lazy-collapsible-section';
import { TranslationSelect } from '../components/translation-select';
import { Name, TextSource, useTextAttributes, useTranslation } from '../components/translation-text';
import { formatVerseCount } from '../format-verse-count';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
import { useTitle } from '../use-title';

/**
 * `/word?translation=&word=`: the verses that contain a word, and the words that often stand near
 * it.
 */
export function WordScreen(): VNode {
  const { translation = '', word = '' } = useRoute().query;
  const { settings } = useReader();
  useTitle(word === '' ? 'Word study' : word);
  const studied = { translation: translation || settings.translation, word };
  const attributes = useTextAttributes(studied.translation);
  const inputs = `${studied.translation} ${word}`;
  return (
    <>
      <h1>
        {word === '' ? (
          'Word study'
        ) : (
          <>
            “<bdi {...attributes}>{word}</bdi>”
          </>
        )}
      </h1>
      <WordForm key={`form ${inputs}`} {...studied} />
      {word.trim() === '' ? (
        <p class="hint">
          Choose a translation and a word. You see the books that have the word, the words near it, and its lines.
        </p>
      ) : (
        <WordStudy key={`study ${inputs}`} {...studied} />
      )}
    </>
  );
}

interface WordInTranslation {
  readonly translation: string;
  readonly word: string;
}

function WordForm({ word, ...initial }: WordInTranslation): VNode {
  const { route } = useLocation();
  const [translation, setTranslation] = useState(initial.translation);
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('word')).trim();
    if (text !== '') route(wordPath(translation, text));
  };
  return (
    <form role="search" onSubmit={submit}>
      <p class="search-line">
        <label class="visually-hidden" for="word">
          Word
        </label>
        <input id="word" name="word" type="search" maxLength={100} defaultValue={word} placeholder="A word" />
        <button type="submit">Study</button>
      </p>
      <div class="picker">
        <TranslationSelect label="Translation" value={translation} onChange={setTranslation} />
      </div>
    </form>
  );
}

function WordStudy({ translation, word }: WordInTranslation): VNode {
  const { api } = useReader();
  const attributes = useTextAttributes(translation);
  const { name = translation, language } = useTranslation(translation) ?? {};
  const shownName = <Name text={name} language={language} />;
  const data = useData((signal) => api.wordDistribution(translation, word, signal), [api]);
  return (
    <AsyncData data={data}>
      {({ totalOccurrences, verseCount, surfaceForms, occurrencesByBook }) =>
        totalOccurrences === 0 ? (
          <p role="status">
            No verse of {shownName} has the word <bdi {...attributes}>{word}</bdi>.
          </p>
        ) : (
          <>
            <p role="status">
              {totalOccurrences.toLocaleString()} {totalOccurrences === 1 ? 'time' : 'times'} in{' '}
              {formatVerseCount(verseCount)} of {shownName}, as <bdi {...attributes}>{surfaceForms.join(', ')}</bdi>.
            </p>
            <VersesByBookChart translation={translation} counts={occurrencesByBook} />
            <CollapsibleSection title="Words near it" isOpen>
              {() => <Collocates translation={translation} word={word} />}
            </CollapsibleSection>
            <h2>Concordance</h2>
            <ConcordanceLines
              translation={translation}
              load={(after, signal) => api.concordance(translation, word, after, signal)}
            />
            <TextSource translation={translation} />
          </>
        )
      }
    </AsyncData>
  );
}

function Collocates({ translation, word }: WordInTranslation): VNode {
  const { api } = useReader();
  const attributes = useTextAttributes(translation);
  const data = useData((signal) => api.collocates(translation, word, signal), [api]);
  return (
    <AsyncData data={data}>
      {(collocates) =>
        collocates.length === 0 ? (
          <p class="hint">No word stands near it more often than by chance.</p>
        ) : (
          <>
            <p class="hint">
              These words stand at most four words before or after it, more often than by chance. Function words are
              left out.
            </p>
            {/* Focusable, so that the keyboard can scroll it on a narrow screen. */}
            <section class="scroll" aria-label="Words near it" tabIndex={0}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">Word</th>
                    <th scope="col">Together</th>
                    <th scope="col">Before it</th>
                    <th scope="col">After it</th>
                    <th scope="col">Expected</th>
                    <th scope="col">Log-likelihood</th>
                  </tr>
                </thead>
                <tbody>
                  {collocates.map(({ lemma, displayForm, together, before, after, expected, logLikelihood }) => (
                    <tr key={lemma}>
                      <th scope="row">
                        <a href={wordPath(translation, displayForm)}>
                          <bdi {...attributes}>{displayForm}</bdi>
                        </a>
                      </th>
                      <td>{together}</td>
                      <td>{before}</td>
                      <td>{after}</td>
                      <td>{expected.toFixed(1)}</td>
                      <td>{logLikelihood.toFixed(1)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          </>
        )
      }
    </AsyncData>
  );
}
