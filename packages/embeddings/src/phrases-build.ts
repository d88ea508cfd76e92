import { nullIfUnusable } from '@lectern/data-files';
import type { BonusListName, PhraseListName, PhraseReferences } from './bonus';
import { phraseLists, weightOfReference } from './bonus';
import type { Embedder } from './embedder';
import { hashPhrase, readPhrases, writePhrases } from './phrases';
import { findReusableRows, joinRows } from './vectors';

/** A phrase with the verses that it names. */
export interface Phrase {
  text: string;
  /** The name of the topic of the phrase. Null for a title in an outline. */
  label: string | null;
  /** The verses of each reference, as ordinals in the standard numbering. */
  references: readonly (readonly number[])[];
}

interface BuildPhrasesOptions {
  lists: Readonly<Record<PhraseListName, readonly Phrase[]>>;
  /** The digest of each source of the phrases, by the id of the source. */
  sources: Readonly<Record<string, string>>;
  embedder: Pick<Embedder, 'id' | 'dimensions' | 'embedQueries'>;
  /** The path of the file to write. If the file exists, its vectors may be reused. */
  file: string;
  /**
   * The path of the phrases file that ships with Lectern, whose vectors may be reused. Null if
   * there is none.
   */
  shipped: string | null;
  /** Receives the progress, one line at a time. */
  log: (line: string) => void;
  signal?: AbortSignal;
}

/** The number of phrases that are embedded between two lines of progress. */
const phrasesPerStep = 1_000;

/**
 * Writes a phrases file. Reuses the vectors of one existing file, `file` or `shipped`, and embeds
 * only the other phrases. Resolves with the number of these other phrases.
 */
export async function buildPhrases(options: BuildPhrasesOptions): Promise<number> {
  const { lists, sources, embedder, file, log } = options;
  const phrases = phraseLists.flatMap((list) => lists[list]);
  const hashed = phrases.map(({ text }) => hashPhrase(text));
  // Reuses the vectors of one existing file.
  const present = await readPhrases(file, { embedder: embedder.id }).catch(nullIfUnusable);
  const shipped =
    options.shipped === null
      ? null
      : await readPhrases(options.shipped, { embedder: embedder.id }).catch(nullIfUnusable);
  const reusable = findReusableRows([present, shipped], hashed);
  const missing = phrases.filter((_, index) => !reusable.rows.has(hashed[index]?.toString('hex') ?? ''));
  const computed = await embedPhrases(missing, options);
  await writePhrases(file, {
    embedder: embedder.id,
    dimensions: embedder.dimensions,
    counts: { topics: lists.topics.length, otherNames: lists.otherNames.length, outlines: lists.outlines.length },
    sources,
    ...toReferences(lists),
    hashes: Buffer.concat(hashed),
    ...joinRows(hashed, reusable, { computed, dimensions: embedder.dimensions }),
  });
  log(`${phrases.length} phrases of topics and outlines in ${file}`);
  return missing.length;
}

/** The number of phrases of one call, which must fit into the queue of the embedder. */
const phrasesPerCall = 50;

/** Embeds phrases as queries. Returns the vectors by the hash of the phrase. */
async function embedPhrases(
  phrases: readonly Phrase[],
  { embedder, log, signal }: BuildPhrasesOptions,
): Promise<ReadonlyMap<string, Float32Array>> {
  const texts = [...new Set(phrases.map(({ text }) => text))];
  const vectors = new Map<string, Float32Array>();
  for (let first = 0; first < texts.length; first += phrasesPerCall) {
    if (first % phrasesPerStep === 0) log(`${first} of ${texts.length} phrases of topics and outlines embedded`);
    signal?.throwIfAborted();
    const call = texts.slice(first, first + phrasesPerCall);
    const embedded = await embedder.embedQueries(call, signal ? { signal } : {});
    for (const [at, vector] of embedded.entries()) vectors.set(hashPhrase(call[at] ?? '').toString('hex'), vector);
  }
  return vectors;
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

/**
 * Returns the weight of each verse that the references name. A verse that two references name has
 * the larger weight.
 */
function weighVerses(list: BonusListName, references: Phrase['references']): ReadonlyMap<number, number> {
  const byVerse = new Map<number, number>();
  for (const verses of references) {
    const weight = weightOfReference(list, verses.length);
    if (weight > 0) for (const verse of verses) byVerse.set(verse, Math.max(weight, byVerse.get(verse) ?? 0));
  }
  return byVerse;
}
