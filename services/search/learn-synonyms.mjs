// Writes synonyms/learned.tsv: pairs of words that translations use for the same thing. Reads the translations in the data
// folder, English and Spanish, after `npm run data`. Takes two minutes: npm run learn -w services/search
//
// A verse that has a word in one translation and not in another says something else there. IBM's Model 1 finds which of the
// other words: each word of the second text is shared out among the words of the first in proportion to how often they met in
// other verses. Texts of one language are compared without the words that both have, by stem and without function words.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const { toStandard, verseOrdinal } = require('@lectern/canon');
const { openCorpus } = require('@lectern/corpus');
const { functionWords, stemmerFor, tokenize } = require('@lectern/words');

const languages = new Set(['eng', 'spa']);
const rounds = 5;
const minLetters = 3;
/**
 * A pair counts if its words stand for each other in `minVerses`, with the score `minScore` and the log likelihood ratio
 * `minLikelihood`, or with less of a score and more of a likelihood. The score is the geometric mean of two shares: of the verses with the first word that have the second in
 * the other text, and the reverse. Pairs of two languages are words of names and of churches: the most certain ones suffice.
 */
const sameLanguage = [
  { minVerses: 2.5, minScore: 0.4, minLikelihood: 45 },
  { minVerses: 20, minScore: 0.25, minLikelihood: 200 },
];
const twoLanguages = [{ minVerses: 30, minScore: 0.9, minLikelihood: 45 }];
/** Words that begin alike are mostly spellings of one word, which the correction of queries finds. */
const sameBeginning = { letters: 4, minVerses: 10 };
/** A pair is of use in a translation where the word is in this share of the verses that have it elsewhere, or in fewer. */
const rareShare = 1 / 4;

function readTranslation(corpus, { identifier, language, numbering }) {
  const stemOf = stemmerFor(language);
  const ignored = functionWords(language);
  const [verses, counts, forms] = [new Map(), new Map(), new Map()];
  for (const verse of corpus.eachVerse(identifier)) {
    const ordinal = verseOrdinal(toStandard(numbering, verse));
    const stems = verses.get(ordinal) ?? new Set();
    verses.set(ordinal, stems);
    for (const { folded } of tokenize(verse.text)) {
      if (folded.length < minLetters || ignored.has(folded)) continue;
      const stem = stemOf(folded);
      stems.add(stem);
      const ofStem = forms.get(stem) ?? new Map();
      forms.set(stem, ofStem.set(folded, (ofStem.get(folded) ?? 0) + 1));
    }
  }
  for (const stems of verses.values()) for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  /** Returns the most frequent form of a stem, the first in the alphabet of equally frequent ones. */
  const formOf = (stem) => [...forms.get(stem)].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0][0];
  return { language, verses, countOf: (stem) => counts.get(stem) ?? 0, formOf };
}

/** Returns the expected number of verses in which each word of the first text stands for a word of the second. */
function alignWords(pairs) {
  const verses = countEach(pairs.map(([first]) => first));
  let counts = new Map();
  for (let round = 0; round < rounds; round += 1) {
    const chanceOf = (word, other) => (round === 0 ? 1 : (counts.get(word)?.get(other) ?? 0) / verses.get(word));
    const next = new Map();
    for (const [first, second] of pairs)
      for (const other of second) {
        const chances = first.map((word) => chanceOf(word, other));
        const sum = chances.reduce((total, chance) => total + chance, 0);
        for (const [at, word] of first.entries()) {
          const share = chances[at] / sum;
          if (!(share > 0.01)) continue;
          const ofWord = next.get(word) ?? new Map();
          next.set(word, ofWord.set(other, (ofWord.get(other) ?? 0) + share));
        }
      }
    counts = next;
  }
  return counts;
}

function countEach(lists) {
  const counts = new Map();
  for (const list of lists) for (const word of list) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Dunning's log likelihood ratio: how far `both` is from chance, if a and b of n verses have each word. */
function likelihoodRatio(both, a, b, n) {
  const part = (observed, expected) => (observed > 0 ? observed * Math.log(observed / expected) : 0);
  return (
    2 *
    (part(both, (a * b) / n) +
      part(a - both, (a * (n - b)) / n) +
      part(b - both, ((n - a) * b) / n) +
      part(n - a - b + both, ((n - a) * (n - b)) / n))
  );
}

/** Yields the pairs of a word of the first translation that is rare in the second, and a word of the second. */
function* learnPairs(first, second) {
  const isSame = first.language === second.language;
  const pairs = [];
  for (const [ordinal, words] of first.verses) {
    const others = second.verses.get(ordinal);
    if (!others) continue;
    const without = (own, other) => (isSame ? [...own].filter((word) => !other.has(word)) : [...own]);
    pairs.push([without(words, others), without(others, words)]);
  }
  const [verses, otherVerses] = [0, 1].map((side) => countEach(pairs.map((pair) => pair[side])));
  for (const [word, ofWord] of alignWords(pairs)) {
    if (isSame && second.countOf(word) > first.countOf(word) * rareShare) continue;
    for (const [other, together] of ofWord) {
      const [a, b] = [verses.get(word), otherVerses.get(other)];
      const score = together / Math.sqrt(a * b);
      const likelihood = likelihoodRatio(together, a, b, pairs.length);
      const isCertain = ({ minVerses, minScore, minLikelihood }) =>
        together >= minVerses && score >= minScore && likelihood >= minLikelihood;
      if (!(isSame ? sameLanguage : twoLanguages).some(isCertain)) continue;
      const [left, right] = [
        { language: first.language, word: first.formOf(word), verses: first.countOf(word) },
        { language: second.language, word: second.formOf(other), verses: second.countOf(other) },
      ];
      yield { words: compareWords(left, right) < 0 ? [left, right] : [right, left], together, score };
    }
  }
}

const compareWords = (a, b) => (`${a.language} ${a.word}` < `${b.language} ${b.word}` ? -1 : 1);

/** The pairs that people found to be wrong: `! word other` in the written file. */
const wrongPairs = new Set(
  readFileSync(join(folder, 'synonyms', 'written.txt'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1).trim().split(' ').sort().join(' ')),
);

function isUseful({ words: [{ word }, { word: other }], together }) {
  if (wrongPairs.has([word, other].sort().join(' '))) return false;
  return together >= sameBeginning.minVerses ? word !== other : !beginning(word).startsWith(beginning(other));
}

const beginning = (word) => word.slice(0, sameBeginning.letters);

const corpus = openCorpus(process.env.LECTERN_DATA ?? join(folder, '..', '..', 'data'));
const translations = corpus.translations
  .filter(({ language }) => languages.has(language))
  .map((translation) => readTranslation(corpus, translation));
corpus.close();
const learned = new Map();
for (const first of translations)
  for (const second of translations)
    for (const pair of first === second ? [] : learnPairs(first, second)) {
      const key = pair.words.map(({ language, word }) => `${language} ${word}`).join('\t');
      if (!isUseful(pair)) continue;
      if (!(learned.get(key)?.score >= pair.score)) learned.set(key, pair);
    }
const lines = [...learned.values()]
  .sort(({ words: [a, c] }, { words: [b, d] }) => (a.word === b.word ? compareWords(c, d) : compareWords(a, b)))
  .map(({ words, together, score }) =>
    [...words.flatMap((each) => Object.values(each)), together.toFixed(0), score.toFixed(2)].join('\t'),
  );
const header = 'language\tword\tverses\tother language\tother word\tverses\ttogether\tscore';
writeFileSync(join(folder, 'synonyms', 'learned.tsv'), `${[header, ...lines].join('\n')}\n`);
console.log(`learned ${lines.length} pairs of words from ${translations.length} translations`);
