// Writes computed-references.tsv: for each verse the ten verses that are most likely its cross references. Reads the texts,
// the reference works and the vectors that `npm run data` prepares. Learns from half of the verses of FILE, and measures with
// the others. With --all, as the file that ships was made, it learns from all and measures nothing. Needs python3 with numpy
// and torch, 11 GB of memory and 20 minutes: node services/study/compute-references.mjs FILE [--all]
// Each line of FILE has a verse, a tab, and its cross references with semicolons between: `GEN 1:3<tab>JOB 36:30;JHN 1:5`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const root = join(folder, '..', '..');
const require = createRequire(import.meta.url);
const { books, ordinalParts, toStandard, verseOrdinal } = require('@lectern/canon');
const { openCorpus } = require('@lectern/corpus');
const { functionWords, stemmerFor, tokenize } = require('@lectern/words');
const { readVectors, shippedVectors } = require(join(root, 'packages', 'embeddings', 'dist', 'index.js'));

/** The translations whose words are compared. The first one also has Strong's numbers. */
const identifiers = ['eng-kjv', 'eng-web', 'spa-rv1909'];

/** Returns the stems of a verse's words in order, with a point before function words, and its Strong's numbers. */
function readVerses(corpus) {
  const verses = new Map();
  for (const identifier of identifiers) {
    const { language, numbering } = corpus.translation(identifier);
    const stem = stemmerFor(language);
    const stops = functionWords(language);
    for (const verse of corpus.eachVerse(identifier)) {
      const place = toStandard(numbering, verse);
      if (!place) continue;
      const ordinal = verseOrdinal(place);
      const entry = verses.get(ordinal) ?? { ordinal };
      verses.set(ordinal, entry);
      const stems = tokenize(verse.text).map(({ folded }) => (stops.has(folded) ? '.' : '') + stem(folded));
      entry[identifier] = [...(entry[identifier] ?? []), ...stems];
      if (identifier !== identifiers[0]) continue;
      entry.strongs = [...verse.words].sort((a, b) => a.start - b.start).flatMap(({ strongs }) => strongs);
    }
  }
  return [...verses.values()].filter((entry) => entry[identifiers[0]]).sort((a, b) => a.ordinal - b.ordinal);
}

const [file, ...options] = process.argv.slice(2);
if (!file) throw new Error('name the FILE of references to learn from');
const work = mkdtempSync(join(tmpdir(), 'lectern-references-'));
try {
  const corpus = openCorpus(join(root, 'data'));
  const lines = readVerses(corpus).map((entry) => JSON.stringify(entry));
  corpus.close();
  writeFileSync(join(work, 'verses.jsonl'), lines.join('\n'));
  const { ordinals, rows, dimensions } = await readVectors(shippedVectors('spa-rv1909'));
  const standard = Array.from(ordinals, (ordinal) => {
    const place = toStandard('rv1909', ordinalParts(ordinal));
    return place ? verseOrdinal(place) : 0;
  });
  writeFileSync(join(work, 'vectors.bin'), Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength));
  writeFileSync(
    join(work, 'settings.json'),
    JSON.stringify({
      vectorOrdinals: standard,
      dimensions,
      books: books.map(({ code }) => code),
      works: join(root, 'data', 'reference-works.sqlite'),
    }),
  );
  const run = (script) =>
    spawnSync('python3', [join(folder, script), work, file, ...options], { stdio: 'inherit' }).status ?? 1;
  process.exitCode = run('learn-distance.py') || run('rank-references.py');
} finally {
  rmSync(work, { recursive: true });
}
