import { useStarted } from '@lectern/testing';
import { openSearchClient } from '../../test-support/search-client';

const client = useStarted(openSearchClient);

/** Returns the different words that a search marks in the verses that it finds, in small letters. */
async function foundWords(query: string, translation: string): Promise<Set<string>> {
  const edges = await client.allEdges({ query, translation });
  return new Set(
    edges.flatMap(({ node, matches }) =>
      matches.map(({ start, length }) => node.text.slice(start, start + length).toLowerCase()),
    ),
  );
}

test.each([
  ['eng-kjv', 'die', 'died dieth dying'],
  ['eng-web', 'wife', 'wives'],
  ['eng-web', 'child', 'children'],
  ['eng-web', 'man', 'men'],
  ['eng-web', 'foot', 'feet'],
  ['eng-web', 'give', 'gave given'],
  ['eng-kjv', 'speak', 'spake spoken'],
  ['eng-kjv', 'honor', 'honour'],
  ['spa-rv1909', 'pez', 'peces'],
  ['spa-rv1909', 'luz', 'luz'],
  ['spa-rv1909', 'orar', 'oró oraba orando'],
  ['spa-rv1909', 'leer', 'leyó leyeron'],
  ['spa-rv1909', 'ciudad', 'ciudades'],
])('a search in %s for %j also finds its forms %j', async (translation, query, forms) => {
  const found = await foundWords(query, translation);
  for (const form of forms.split(' ')) expect([form, found.has(form)]).toEqual([form, true]);
});

test.each([
  ['eng-web', 'at', 'ate'],
  ['eng-web', 'even', 'evening'],
  ['eng-web', 'on', 'one ones'],
  ['eng-web', 'us', 'use used'],
  ['eng-kjv', 'general', 'generous generation'],
  ['spa-rv1909', 'pecado', 'peces pez'],
  ['spa-rv1909', 'mano', 'maná manasés'],
  ['spa-rv1909', 'casa', 'casó caso casarse'],
  ['spa-rv1909', 'sol', 'solo sola'],
  ['spa-rv1909', 'ley', 'leyó'],
  ['spa-rv1909', 'luces', 'lucas'],
  ['spa-rv1909', 'orar', 'oro'],
])('a search in %s for %j does not find the other words %j', async (translation, query, words) => {
  const found = await foundWords(query, translation);
  expect(words.split(' ').filter((word) => found.has(word))).toEqual([]);
});

test('a search for a word without its accent finds the word and the word with the accent, and marks both', async () => {
  const found = await foundWords('oro', 'spa-rv1909');
  expect([found.has('oro'), found.has('oró')]).toEqual([true, true]);
});

test.each([
  ['isiah the prophet', 'Isaiah the prophet'],
  ['pharoah', 'Pharaoh'],
  ['deciples', 'disciples'],
])('searchVerses corrects %j to %j', async (query, corrected) => {
  expect(await client.page({ query, first: 1 })).toMatchObject({ correctedQuery: corrected });
});
