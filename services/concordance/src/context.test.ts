import { useStarted } from '@lectern/testing';
import { tokenize, verseWords } from '@lectern/words';
import { concordanceQueries, openConcordanceClient } from '../test-support/concordance-client';
import { keywordInContext } from './query/context';

const client = useStarted(openConcordanceClient);

const { concordance } = concordanceQueries(() => client);

const contextOf = (text: string, ...matches: string[]): string => {
  const words = tokenize(text);
  return keywordInContext(
    text,
    words,
    matches.map((match) => ({ start: text.indexOf(match), length: match.length })),
  );
};

test('keywordInContext escapes HTML in the text, and adds only <mark> elements', () => {
  expect(contextOf('Bread & wine <for> all & sundry', 'wine', 'all')).toBe(
    'Bread &amp; <mark>wine</mark> &lt;for&gt; <mark>all</mark> &amp; sundry',
  );
  expect(contextOf('<mark>peace</mark> & peace', 'peace</mark> & peace')).toBe(
    '&lt;mark&gt;<mark>peace&lt;/mark&gt; &amp; peace</mark>',
  );
});

const numbered = Array.from({ length: 40 }, (_, index) => `w${index}`).join(' ');

test('keywordInContext cuts a long verse to 25 words that include the match', () => {
  expect(contextOf(`“${numbered}.”`, 'w3')).toBe(
    `“${numbered.slice(0, numbered.indexOf(' w25')).replace('w3', '<mark>w3</mark>')}…`,
  );
  expect(contextOf(`“${numbered}.”`, 'w39')).toBe(
    `…${numbered.slice(numbered.indexOf('w15')).replace('w39', '<mark>w39</mark>')}.”`,
  );
});

test('keywordInContext marks a match of several words completely or not at all', () => {
  expect(contextOf(numbered, 'w24 w25')).toMatch(/^…w1 .* <mark>w24 w25<\/mark>…$/);
  expect(contextOf(numbered, 'w0', 'w1', 'w24 w25')).toMatch(/^<mark>w0<\/mark> <mark>w1<\/mark>.* w24…$/);
});

test('keywordInContext returns the first 25 words of a match that is longer than 25 words', () => {
  expect(contextOf(numbered, numbered.slice(numbered.indexOf('w5'), numbered.indexOf(' w38')))).toBe(
    `…<mark>${numbered.slice(numbered.indexOf('w5'), numbered.indexOf(' w30'))}</mark>…`,
  );
});

test('keywordInContext returns a short text without matches unchanged', () => {
  expect(keywordInContext('…', [], [])).toBe('…');
  expect(contextOf('In the beginning')).toBe('In the beginning');
});

describe('context', () => {
  const countWords = (html: string): number => tokenize(html.replace(/<\/?mark>|&\w+;/g, '')).length;

  test('the field context returns a short verse completely, with the match marked', async () => {
    const { edges } = await concordance({ translation: 'eng-web', word: 'wept', book: 'JHN', first: 1 });
    expect(edges[0]?.node).toMatchObject({
      context: 'Jesus <mark>wept</mark>.',
      matches: [{ start: 6, length: 4 }],
      verse: { reference: 'John 11:35' },
    });
  });

  test('for a long verse, the field context returns the 25 adjacent words that contain the most matches', async () => {
    const { edges } = await concordance({ translation: 'eng-web', word: 'king', first: 100 });
    const longVerses = edges.filter(({ node }) => countWords(node.verse.text) > 25);
    expect(longVerses.length).toBeGreaterThan(20);
    for (const {
      node: { context, matches, verse },
    } of longVerses) {
      const all = verseWords(verse.text, 'eng');
      const isMatch = (index: number): boolean => matches.some(({ start }) => start === all[index]?.start);
      const matchesFrom = (from: number): number =>
        Array.from({ length: 25 }, (_, index) => from + index).filter(isMatch).length;
      const windows = Array.from({ length: all.length - 24 }, (_, from) => matchesFrom(from));
      const best = windows.indexOf(Math.max(...windows));
      const shown = verse.text.slice(
        best === 0 ? 0 : all[best]?.start,
        best + 25 === all.length ? undefined : (all[best + 24]?.start ?? 0) + (all[best + 24]?.length ?? 0),
      );
      expect(context.replace(/<\/?mark>/g, '')).toBe(
        `${best > 0 ? '…' : ''}${shown}${best + 25 < all.length ? '…' : ''}`,
      );
      expect(context.match(/<mark>/g)).toHaveLength(windows[best] ?? 0);
    }
  });

  test('the field context has at most 25 words, while the field matches lists the matches of the whole verse', async () => {
    for (const translation of ['eng-kjv', 'spa-rv1909']) {
      const { edges } = await concordance({ translation, word: translation === 'eng-kjv' ? 'and' : 'y', first: 100 });
      for (const {
        node: { context, matches, verse },
      } of edges) {
        expect(countWords(context)).toBe(Math.min(25, countWords(verse.text)));
        const word = translation === 'eng-kjv' ? 'and' : 'y';
        expect(matches.length).toBeGreaterThan(0);
        expect(matches).toEqual(
          tokenize(verse.text)
            .filter(({ folded }) => folded === word)
            .map(({ start, length }) => ({ start, length })),
        );
      }
    }
  });
});
