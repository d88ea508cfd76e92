import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseReference, verseOrdinal } from '@lectern/canon';
import { nullIfUnusable } from '@lectern/data-files';
import { buildRows, type Embedder } from '@lectern/embeddings';
import type { BonusListName, PhraseListName, PhraseReferences } from './phrase-bonus';
import { mapLists, phraseLists, weightOfReference } from './phrase-bonus';
import { hashPhrase, readPhrases, shippedPhrases, writePhrases } from './phrases-file';

/** A text that is compared with queries, such as the name of a topic, and the verses about it. */
interface Phrase {
  text: string;
  /** The topic of the phrase. Null for a title in an outline and for a question, which have no topic. */
  label: string | null;
  /** The verses of each reference, as numbers such as 43003016 for John 3:16 of the King James Version. */
  references: readonly (readonly number[])[];
}

interface BuildPhrasesOptions {
  lists: Readonly<Record<PhraseListName, readonly Phrase[]>>;
  /** The digest of each source of phrases, by the id of the source. */
  sources: Readonly<Record<string, string>>;
  embedder: Pick<Embedder, 'id' | 'dimensions' | 'embedQueries'>;
  /** The path of the file to write. If it exists, its vectors may be reused. */
  file: string;
  /** Receives the progress, one line at a time. */
  log: (line: string) => void;
  signal?: AbortSignal;
}

/** The number of phrases that are embedded between two lines of progress. */
const phrasesPerStep = 1_000;

/** The number of phrases in one call of the embedder. The queue of the embedder has space for so many. */
const phrasesPerCall = 50;

/** Writes a phrases file. Reuses vectors of `file` or `shippedPhrases`. Resolves with the number of new ones. */
export async function buildPhrases(options: BuildPhrasesOptions): Promise<number> {
  const { lists, sources, embedder, file, log } = options;
  const { id, dimensions } = embedder;
  const texts = phraseLists.flatMap((list) => lists[list].map(({ text }) => text));
  const hashes = texts.map(hashPhrase);
  const read = (path: string) => readPhrases(path, { embedder: id }).catch(nullIfUnusable);
  const present = [await read(file), await read(shippedPhrases)];
  const { computed, ...rows } = await buildRows(present, hashes, dimensions, (missing) => {
    const wanted = missing.map((index) => texts[index] ?? '');
    return embedPhrases(wanted, options);
  });
  await writePhrases(file, {
    embedder: id,
    dimensions,
    counts: mapLists((list) => lists[list].length),
    sources,
    ...toReferences(lists),
    hashes: Buffer.concat(hashes),
    ...rows,
  });
  log(`${texts.length} phrases of topics, outlines and questions in ${file}`);
  return computed;
}

/** Embeds phrases as if they were queries. A text that occurs several times is embedded once. */
async function embedPhrases(
  phrases: readonly string[],
  { embedder, log, signal }: BuildPhrasesOptions,
): Promise<Float32Array[]> {
  const texts = [...new Set(phrases)];
  const vectors = new Map<string, Float32Array>();
  for (let first = 0; first < texts.length; first += phrasesPerCall) {
    if (first % phrasesPerStep === 0)
      log(`${first} of ${texts.length} phrases of topics, outlines and questions embedded`);
    signal?.throwIfAborted();
    const call = texts.slice(first, first + phrasesPerCall);
    const embedded = await embedder.embedQueries(call, signal ? { signal } : {});
    for (const [at, vector] of embedded.entries()) vectors.set(call[at] ?? '', vector);
  }
  return phrases.map((text) => vectors.get(text) ?? new Float32Array(embedder.dimensions));
}

function toReferences(lists: BuildPhrasesOptions['lists']): PhraseReferences {
  const starts = [0];
  const verses: number[] = [];
  const weights: number[] = [];
  for (const list of phraseLists)
    for (const { references } of lists[list]) {
      for (const [verse, weight] of list === 'otherNames' ? [] : weighVerses(list, references)) {
        verses.push(verse);
        weights.push(weight);
      }
      starts.push(verses.length);
    }
  const labelled = [...lists.topics, ...lists.otherNames];
  const labels = [...new Set(labelled.map(({ label }) => label ?? ''))];
  const numbers = new Map(labels.map((label, number) => [label, number]));
  return {
    starts: Uint32Array.from(starts),
    verses: Int32Array.from(verses),
    weights: Float32Array.from(weights),
    labels,
    labelOf: Uint32Array.from(labelled, ({ label }) => numbers.get(label ?? '') ?? 0),
  };
}

/** Returns the weight of each verse in the references: the largest weight of the references that name it. */
function weighVerses(list: BonusListName, references: Phrase['references']): ReadonlyMap<number, number> {
  const byVerse = new Map<number, number>();
  for (const verses of references) {
    const weight = weightOfReference(list, verses.length);
    if (weight > 0) for (const verse of verses) byVerse.set(verse, Math.max(weight, byVerse.get(verse) ?? 0));
  }
  return byVerse;
}

/** A text that a person may search with, in one of six languages, and the passages that answer it. */
interface Question {
  text: string;
  /** The first and the last verse of each passage, as ordinals in the standard numbering. */
  passages: readonly { first: number; last: number }[];
}

/**
 * The questions that ship with Lectern. A block begins with `# ` and references, separated by `; `. Each other line has
 * a language and its questions, separated by ` | `.
 */
const file = join(__dirname, '..', '..', 'questions.txt');

/** Returns the SHA-256 digest of the questions that ship with Lectern, in hexadecimal. */
export const questionsDigest = (): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Reads the questions that ship with Lectern. Throws if a line of the file is malformed. */
export const readQuestions = (): Question[] =>
  readFileSync(file, 'utf8')
    .split(/^# /m)
    .slice(1)
    .flatMap((block) => {
      const [references = '', ...lines] = block.trimEnd().split('\n');
      const reference = parseReference(references);
      if (reference.kind !== 'reference') throw new Error(`questions.txt: '${references}' is not a reference`);
      const passages = reference.spans.map(({ start, end }) => ({
        first: verseOrdinal({ ...start, chapter: start.chapter ?? 0, verse: start.verse ?? 0 }),
        last: verseOrdinal({ ...end, chapter: end.chapter ?? 999, verse: end.verse ?? 999 }),
      }));
      return lines.flatMap((line) => {
        const [, texts] = /^\w\w: (.+)$/.exec(line) ?? [];
        if (texts === undefined) throw new Error(`questions.txt: '${line}' is not a language and questions`);
        return texts.split(' | ').map((text) => ({ text, passages }));
      });
    });
