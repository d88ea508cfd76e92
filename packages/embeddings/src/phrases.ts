import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BinaryFileKind } from '@lectern/data-files';
import {
  fileIdentity,
  readBinaryFile,
  unusableFileError,
  viewAsBytes,
  viewAsNumbers,
  writeBinaryFile,
} from '@lectern/data-files';
import type { BonusListName, PhraseListName, PhraseMatch, PhraseReferences } from './bonus';
import { createBonusSum, createPhraseBonus, phraseLists, requiredPhrases } from './bonus';
import type { RowValues } from './overlap';
import { createVectorScan, type ScanMatches } from './scan';
import { toSimilarity } from './search';
import { checkEmbedder } from './vectors';
import { hashLength } from './verses';

// The format version must also be increased if the weights of references change. If the rules that
// make phrases from a source change, the digest of the source in `sources` changes instead.
const kind: BinaryFileKind = { magic: 'LECTPHR\n', formatVersion: 2, name: 'phrases file' };

/** Returns the path of the phrases in the data folder. */
export const phrasesFile = (dataDir: string): string => join(dataDir, 'phrases.vec');

/**
 * Returns the path of the vectors of phrases that ship with Lectern: hashes and vectors, without
 * verses or texts. Returns null if the file is absent.
 */
export function shippedPhrases(): string | null {
  const file = join(__dirname, '..', 'vectors', 'phrases.vec');
  return existsSync(file) ? file : null;
}

interface PhrasesHeader {
  /**
   * The id of the embedder that made the vectors (`Embedder.id`): phrases are embedded as queries.
   */
  embedder: string;
  dimensions: number;
  /** The scale of the bytes in rows: a component of a vector is its byte times this scale. */
  scale: number;
  /** The number of phrases of each list. */
  counts: Readonly<Record<PhraseListName, number>>;
  /** The digest of each source that the phrases come from, by its id. */
  sources: Readonly<Record<string, string>>;
}

/** The content of a phrases file. */
export interface Phrases extends PhrasesHeader, PhraseReferences {
  /** `hashLength` bytes per phrase: the hash of its text. */
  hashes: Uint8Array;
  /** One row of `dimensions` signed bytes per phrase. */
  rows: Int8Array;
}

export const hashPhrase = (text: string): Buffer => createHash('sha256').update(text).digest().subarray(0, hashLength);

export const phraseCount = ({ counts }: Pick<PhrasesHeader, 'counts'>): number =>
  phraseLists.reduce((sum, list) => sum + counts[list], 0);

/** The sections in the order of the file. The rows come last. */
const [starts, verses, weights, labels, labelOf, hashes, rows] = [0, 1, 2, 3, 4, 5, 6] as const;

type StoredHeader = PhrasesHeader & { lengths: readonly number[] };

/**
 * Reads a phrases file. Throws a ChecksummedFileError if the file is missing, damaged or of another
 * embedder.
 */
export async function readPhrases(file: string, expected: { embedder?: string } = {}): Promise<Phrases> {
  const { header, sections } = await readBinaryFile<StoredHeader>(file, kind);
  const section = (index: number): Uint8Array => sections[index] ?? new Uint8Array();
  return {
    ...checkedHeader(file, header, expected),
    ...viewReferences(section),
    hashes: section(hashes),
    rows: viewAsNumbers(section(rows), Int8Array),
  };
}

/** Verifies a whole file like `readPhrases`, but loads neither vectors nor hashes. */
async function readPhraseReferences(
  file: string,
  expected: { embedder?: string } = {},
): Promise<PhrasesHeader & PhraseReferences & { rowsAt: number }> {
  const {
    header,
    sections,
    starts: positions,
  } = await readBinaryFile<StoredHeader>(file, kind, (length, index) =>
    index < hashes ? new Uint8Array(length) : null,
  );
  const checked = checkedHeader(file, header, expected);
  return {
    ...checked,
    ...viewReferences((index) => sections[index] ?? new Uint8Array()),
    rowsAt: positions[rows] ?? 0,
  };
}

/** Verifies a whole file like `readPhrases`, and returns its header. */
export async function readPhrasesHeader(file: string, expected: { embedder?: string } = {}): Promise<PhrasesHeader> {
  const { header } = await readBinaryFile<StoredHeader>(file, kind, () => null);
  return checkedHeader(file, header, expected);
}

const viewReferences = (section: (index: number) => Uint8Array): PhraseReferences => ({
  starts: viewAsNumbers(section(starts), Uint32Array),
  verses: viewAsNumbers(section(verses), Int32Array),
  weights: viewAsNumbers(section(weights), Float32Array),
  labels: new TextDecoder().decode(section(labels)).split('\n'),
  labelOf: viewAsNumbers(section(labelOf), Uint32Array),
});

function checkedHeader(file: string, header: StoredHeader, expected: { embedder?: string }): PhrasesHeader {
  const { embedder, dimensions, scale, counts, sources, lengths } = header;
  const count = phraseCount(header);
  const labelled = counts.topics + counts.otherNames;
  const expectedLengths = [(count + 1) * 4, lengths[weights], lengths[weights], lengths[labels], labelled * 4];
  if (lengths.join() !== [...expectedLengths, count * hashLength, count * dimensions].join())
    throw unusableFileError(file, 'is damaged (its sections do not fit)');
  checkEmbedder(file, embedder, expected);
  return { embedder, dimensions, scale, counts, sources };
}

export const writePhrases = (file: string, phrases: Phrases): Promise<void> => {
  const { embedder, dimensions, scale, counts, sources } = phrases;
  return writeBinaryFile(file, kind, { embedder, dimensions, scale, counts, sources } satisfies PhrasesHeader, [
    viewAsBytes(phrases.starts),
    viewAsBytes(phrases.verses),
    viewAsBytes(phrases.weights),
    Buffer.from(phrases.labels.join('\n')),
    viewAsBytes(phrases.labelOf),
    phrases.hashes,
    viewAsBytes(phrases.rows),
  ]);
};

/**
 * Returns the sum of two bonuses for each verse: `lexical`, for verses that contain words of the
 * query, and a bonus for verses that are named by one of the phrases nearest to the query. `vector`
 * is the vector of the query.
 */
export type AddPhraseBonus = (vector: Float32Array, lexical: RowValues | null) => Promise<RowValues | null>;

const bonusLists: readonly BonusListName[] = ['topics', 'outlines'];

/** A bonus so low that a phrase with this bonus is never among the nearest phrases. */
const exclusion = -10;

/**
 * Opens a phrases file and a worker thread that compares queries with its phrases. A phrase is a
 * name or heading of a topic, or a title in a commentary's outline of a chapter. Throws a
 * ChecksummedFileError if the file is missing, damaged or of another embedder.
 * @param without the names of topics whose phrases are left out: in an evaluation, the topics from
 * which its relevance
 * grades of verses come
 */
export async function openPhrases(
  file: string,
  { embedder, without = new Set() }: { embedder: string; without?: ReadonlySet<string> },
) {
  const identity = fileIdentity(statSync(file, { throwIfNoEntry: false }));
  const { rowsAt, dimensions, counts, sources, ...references } = await readPhraseReferences(file, { embedder });
  const { labels, labelOf } = references;
  const topicOf = (phrase: number): string => labels[labelOf[phrase] ?? 0] ?? '';
  const firsts = { topics: 0, otherNames: counts.topics, outlines: counts.topics + counts.otherNames };
  const isIncluded = (phrase: number): boolean => phrase >= firsts.outlines || !without.has(topicOf(phrase));
  const scan = await createVectorScan(
    { file, fileIdentity: identity, dimensions },
    phraseLists.map((list) => ({ rowsAt: rowsAt + firsts[list] * dimensions, count: counts[list] })),
  );

  const openList = (list: PhraseListName) => {
    const first = firsts[list];
    const excluded = Array.from({ length: counts[list] }, (_, index) => index).filter(
      (index) => !isIncluded(first + index),
    );
    const bonus =
      excluded.length === 0
        ? null
        : { rows: Uint32Array.from(excluded), values: new Float32Array(excluded.length).fill(exclusion) };
    /**
     * Resolves with the phrases nearest to the query, best first: at least `limit`, if there are so
     * many.
     */
    return async (vector: Float32Array, limit: number): Promise<PhraseMatch[]> =>
      counts[list] === 0 ? [] : toMatches(await scan.find(phraseLists.indexOf(list), { vector, limit, bonus }), first);
  };
  const nearest = { topics: openList('topics'), otherNames: openList('otherNames'), outlines: openList('outlines') };

  return {
    /** The digest of each source of the phrases, by the id of the source. */
    sources,

    /**
     * Creates the function that adds a bonus to the verses that are named by one of the phrases
     * nearest to a query. `rowOf` returns the row of a verse, given as an ordinal in the standard
     * numbering: its position among the ranked verses, or null. `count` is the number of ranked
     * verses.
     */
    createAddPhraseBonus(rowOf: (ordinal: number) => number | null, count: number): AddPhraseBonus {
      const addBonuses = createBonusSum(count);
      const bonusOfLists = bonusLists.map((list) => {
        const range = [firsts[list], firsts[list] + counts[list]] as const;
        return {
          add: createPhraseBonus(references, list, { rowOf, isIncluded, range }),
          find: (vector: Float32Array) => nearest[list](vector, requiredPhrases(list)),
        };
      });
      return async (vector, lexical) => {
        const matches = await Promise.all(bonusOfLists.map(({ find }) => find(vector)));
        const bonuses = new Map<number, number>();
        for (const [index, { add }] of bonusOfLists.entries()) add(matches[index] ?? [], bonuses);
        return addBonuses(lexical, bonuses);
      };
    },

    /** Resolves with the topics nearest to the query, best first (see `rankTopics`). */
    async nearestTopics(vector: Float32Array, limit: number): Promise<TopicMatch[]> {
      if (limit < 1) return [];
      const names = (await nearest.otherNames(vector, nearNames)).slice(0, nearNames);
      for (let wanted = nearPhrases; ; wanted *= 4) {
        const phrases = await nearest.topics(vector, Math.min(wanted, counts.topics));
        const floor = phrases[nearPhrases - 1]?.cosine ?? phrases.at(-1)?.cosine ?? 0;
        const near = [...phrases, ...names.filter(({ cosine }) => cosine >= floor)];
        const topics = rankTopics(
          near.map(({ phrase, cosine }) => ({ topic: topicOf(phrase), cosine })),
          floor,
        );
        if (topics.length > limit || wanted >= counts.topics) return topics.slice(0, limit);
      }
    },

    close: () => scan.close(),
  };
}

export type OpenPhrases = Awaited<ReturnType<typeof openPhrases>>;

const toMatches = ({ indices, cosines }: ScanMatches, first: number): PhraseMatch[] =>
  Array.from(indices, (index, at) => ({ phrase: first + index, cosine: cosines[at] ?? 0 })).sort(
    (a, b) => b.cosine - a.cosine || a.phrase - b.phrase,
  );

/** A topic with its similarity to a query. */
export interface TopicMatch {
  topic: string;
  /**
   * The mean of the two highest cosines between the query and the topic's phrases and other names,
   * limited to the range 0 to 1 and rounded to four decimals. A phrase is the text of one entry of
   * the topic. If the second cosine is unknown or below a floor, the floor takes its place: see
   * `nearPhrases`.
   */
  similarity: number;
}

/**
 * The rank of the phrase whose cosine is the floor. A topic with at most one phrase above the floor
 * gets the floor as the cosine of its second phrase.
 */
const nearPhrases = 200;

/** The maximum number of other names of topics that count, the nearest ones. */
const nearNames = 50;

/**
 * Ranks topics by their phrases and other names. Topics with equal similarity are in alphabetical
 * order. The two nearest phrases of a topic count, because a single near phrase may be a
 * coincidence. `floor` stands for a missing second one.
 */
function rankTopics(phrases: readonly { topic: string; cosine: number }[], floor: number): TopicMatch[] {
  const cosines = new Map<string, number[]>();
  for (const { topic, cosine } of phrases) cosines.set(topic, [...(cosines.get(topic) ?? []), cosine]);
  return Array.from(cosines, ([topic, own]) => {
    const [first = 0, second = floor] = own.sort((a, b) => b - a);
    return { topic, similarity: toSimilarity((first + Math.max(second, floor)) / 2) };
  }).sort((a, b) => b.similarity - a.similarity || (a.topic < b.topic ? -1 : 1));
}
