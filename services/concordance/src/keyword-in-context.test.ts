import { tokenize } from '@lectern/words';
import { keywordInContext } from './keyword-in-context';

const shown = (text: string, ...hits: string[]): string => {
  const words = tokenize(text);
  return keywordInContext(
    text,
    words,
    hits.map((hit) => ({ start: text.indexOf(hit), length: hit.length })),
  );
};

test('what is HTML in a text is escaped, and only the marks are ours', () => {
  expect(shown('Bread & wine <for> all & sundry', 'wine', 'all')).toBe(
    'Bread &amp; <mark>wine</mark> &lt;for&gt; <mark>all</mark> &amp; sundry',
  );
  expect(shown('<mark>peace</mark> & peace', 'peace</mark> & peace')).toBe(
    '&lt;mark&gt;<mark>peace&lt;/mark&gt; &amp; peace</mark>',
  );
});

const numbered = Array.from({ length: 40 }, (_, index) => `w${index}`).join(' ');

test('a verse is cut where its hits are not, and at the end of a word', () => {
  expect(shown(`“${numbered}.”`, 'w3')).toBe(
    `“${numbered.slice(0, numbered.indexOf(' w25')).replace('w3', '<mark>w3</mark>')}…`,
  );
  expect(shown(`“${numbered}.”`, 'w39')).toBe(
    `…${numbered.slice(numbered.indexOf('w15')).replace('w39', '<mark>w39</mark>')}.”`,
  );
});

test('a hit of several words is shown whole or not at all', () => {
  expect(shown(numbered, 'w24 w25')).toMatch(/^…w1 .* <mark>w24 w25<\/mark>…$/);
  expect(shown(numbered, 'w0', 'w1', 'w24 w25')).toMatch(/^<mark>w0<\/mark> <mark>w1<\/mark>.* w24…$/);
});

test('of a hit that is longer than the window its first words are shown', () => {
  expect(shown(numbered, numbered.slice(numbered.indexOf('w5'), numbered.indexOf(' w38')))).toBe(
    `…<mark>${numbered.slice(numbered.indexOf('w5'), numbered.indexOf(' w30'))}</mark>…`,
  );
});

test('a text without words, or without hits, is itself', () => {
  expect(keywordInContext('…', [], [])).toBe('…');
  expect(shown('In the beginning')).toBe('In the beginning');
});
