// Writes computed-references.tsv: pairs of verses that share a rare run of words or a near meaning. Reads the texts and the
// vectors that `npm run data` prepares. Takes some minutes: node services/study/compute-references.mjs
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const require = createRequire(import.meta.url);
const { ordinalParts, toStandard, verseOrdinal } = require('@lectern/canon');
const { openCorpus } = require('@lectern/corpus');
const { tokenize } = require('@lectern/words');
const { readVectors, shippedVectors } = require(join(root, 'packages', 'embeddings', 'dist', 'index.js'));

/** The numbers of words of the runs that are compared, and the number of verses that may share one. */
const runLengths = [4, 5, 6, 8];
const maxVersesOfRun = 5;
/**
 * The minimum rarity of a run of words that two verses share: the sum over its words of ln(number of verses / number of
 * verses with the word).
 */
const minRarity = 18;
/** Two verses are paired by meaning only if each is among the `maxRank` verses nearest to the other. */
const maxRank = 4;
const minSimilarity = 0.964;
/** A verse without any reference is paired with its nearest verse if their similarity is at least this. */
const minOnlySimilarity = 0.962;

const chapterOf = (ordinal) => Math.floor(ordinal / 1_000);

/** Returns the pairs of verses of different chapters that share a rare run of words, as `a:b` with a < b. */
function pairsBySharedWords(verses) {
  const versesWith = new Map();
  for (const { words } of verses)
    for (const word of new Set(words)) versesWith.set(word, (versesWith.get(word) ?? 0) + 1);
  const rarity = (run) => run.reduce((sum, word) => sum + Math.log(verses.length / versesWith.get(word)), 0);
  const pairs = new Set();
  for (const length of runLengths) {
    const versesOfRun = new Map();
    for (const { ordinal, words } of verses)
      for (let at = 0; at + length <= words.length; at += 1) {
        const run = words.slice(at, at + length).join(' ');
        versesOfRun.set(run, (versesOfRun.get(run) ?? new Set()).add(ordinal));
      }
    for (const [run, ordinals] of versesOfRun) {
      if (ordinals.size < 2 || ordinals.size > maxVersesOfRun || rarity(run.split(' ')) < minRarity) continue;
      const sorted = [...ordinals].sort((a, b) => a - b);
      for (const [index, a] of sorted.entries())
        for (const b of sorted.slice(index + 1)) if (chapterOf(a) !== chapterOf(b)) pairs.add(`${a}:${b}`);
    }
  }
  return pairs;
}

/** Returns the `maxRank` nearest verses of other chapters of each verse, nearest first. */
function nearestVerses({ rows, dimensions, count }, ordinals) {
  const chapters = Int32Array.from(ordinals, chapterOf);
  const lengths = Float64Array.from({ length: count }, (_, verse) =>
    Math.hypot(...rows.subarray(verse * dimensions, (verse + 1) * dimensions)),
  );
  const nearest = Array.from({ length: count }, () => []);
  const offer = (list, verse, similarity) => {
    if (list.length === maxRank && similarity <= list[maxRank - 1].similarity) return;
    const at = list.findIndex((each) => similarity > each.similarity);
    list.splice(at < 0 ? list.length : at, 0, { verse, similarity });
    if (list.length > maxRank) list.pop();
  };
  for (let a = 0; a < count; a += 1) {
    if (a % 1_000 === 0) process.stderr.write(`\r${a} of ${count} verses `);
    for (let b = a + 1; b < count; b += 1) {
      if (chapters[a] === chapters[b]) continue;
      let sum = 0;
      for (let at = 0, i = a * dimensions, j = b * dimensions; at < dimensions; at += 1, i += 1, j += 1)
        sum += rows[i] * rows[j];
      const similarity = sum / (lengths[a] * lengths[b]);
      if (similarity < minOnlySimilarity) continue;
      offer(nearest[a], b, similarity);
      offer(nearest[b], a, similarity);
    }
  }
  process.stderr.write('\n');
  return nearest;
}

const pair = (a, b) => `${Math.min(a, b)}:${Math.max(a, b)}`;

const corpus = openCorpus(join(root, 'data'));
const pairs = new Set();
for (const identifier of ['eng-kjv', 'eng-web']) {
  const verses = Array.from(corpus.eachVerse(identifier), (verse) => ({
    ordinal: verseOrdinal(verse),
    words: tokenize(verse.text).map(({ folded }) => folded),
  }));
  for (const each of pairsBySharedWords(verses)) pairs.add(each);
}
corpus.close();

const vectors = await readVectors(shippedVectors('spa-rv1909'));
const ordinals = Array.from(vectors.ordinals, (ordinal) => verseOrdinal(toStandard('rv1909', ordinalParts(ordinal))));
const nearest = nearestVerses(vectors, vectors.ordinals);
for (const [a, list] of nearest.entries())
  for (const { verse: b, similarity } of list)
    if (similarity >= minSimilarity && nearest[b].some(({ verse }) => verse === a))
      pairs.add(pair(ordinals[a], ordinals[b]));

/** The verses that printed works or the pairs above connect already. */
const { default: Database } = await import('better-sqlite3');
const works = new Database(join(root, 'data', 'reference-works.sqlite'), { readonly: true });
const computed = works.prepare("SELECT number FROM source WHERE id = 'computed'").pluck().get() ?? -1;
const connected = new Set(
  works
    .prepare('SELECT verse, sources FROM cross_reference')
    .all()
    .filter(({ sources }) => JSON.parse(sources).some((source) => source !== computed))
    .map(({ verse }) => verse),
);
for (const each of pairs) for (const ordinal of each.split(':')) connected.add(Number(ordinal));
for (const [a, [first]] of nearest.entries())
  if (!connected.has(ordinals[a]) && first && first.similarity >= minOnlySimilarity)
    pairs.add(pair(ordinals[a], ordinals[first.verse]));

const targets = new Map();
for (const each of pairs) {
  const [a, b] = each.split(':').map(Number);
  if (a !== b) targets.set(a, [...(targets.get(a) ?? []), b]);
}
const format = (ordinal) => {
  const { book, chapter, verse } = ordinalParts(ordinal);
  return `${book} ${chapter}:${verse}`;
};
const lines = [...targets]
  .sort(([a], [b]) => a - b)
  .map(([verse, others]) => [verse, ...others.sort((a, b) => a - b)].map(format).join('\t'));
writeFileSync(
  join(dirname(fileURLToPath(import.meta.url)), 'computed-references.tsv'),
  `verse\trelated verses\n${lines.join('\n')}\n`,
);
process.stderr.write(`${pairs.size} pairs\n`);
