import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
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
import { checkEmbedder, createVectorScan, type Expected, hashLength, type RowValues } from '@lectern/embeddings';
import type { WorkBudget } from '@lectern/serving';
import type { PhraseListName, PhraseMatch, PhraseReferences } from './phrase-bonus';
import { createPhraseBonus, mapLists, phraseLists, requiredPhrases } from './phrase-bonus';
import { toSimilarity } from './ranking';

// The file contains the weights of references, so increase the format version also if these weights change. If the
// rules that make phrases from a source change, the digest of the source in `sources` changes instead.
const kind: BinaryFileKind = { magic: 'LECTPHR\n', formatVersion: 3, name: 'phrases file' };

export const phrasesFile = (dataDir: string): string => join(dataDir, 'phrases.vec');

/** The path of the phrases file that ships with Lectern. This file has only hashes and vectors. */
export const shippedPhrases = join(__dirname, '..', '..', 'vectors', 'phrases.vec');

interface PhrasesHeader {
  /** The id of the model that made the vectors, for queries (`Embedder.id`): phrases are embedded like queries. */
  embedder: string;
  dimensions: number;
  /** A component of a vector is its byte in `rows` times this scale. */
  scale: number;
  counts: Readonly<Record<PhraseListName, number>>;
  sources: Readonly<Record<string, string>>;
}

export interface Phrases extends PhrasesHeader, PhraseReferences {
  /** The hash of each phrase's text. It has `hashLength` bytes. */
  hashes: Uint8Array;
  /** The vector of each phrase, as `dimensions` signed bytes. */
  rows: Int8Array;
}

export const hashPhrase = (text: string): Buffer => createHash('sha256').update(text).digest().subarray(0, hashLength);

export const phraseCount = ({ counts }: Pick<PhrasesHeader, 'counts'>): number =>
  phraseLists.reduce((sum, list) => sum + counts[list], 0);

type ExpectedPhrases = Pick<Expected, 'embedder'>;

const none = new Uint8Array();

/**
 * Throws a ChecksummedFileError if the file is missing, damaged or made with another embedder. `loaded` is the number
 * of sections to load: the first 5 are all but hashes and rows. `rowsAt` is the position of the rows, in bytes.
 */
export async function readPhrases(
  file: string,
  expected: ExpectedPhrases = {},
  loaded = 7,
): Promise<Phrases & { rowsAt: number }> {
  const { header, sections, starts } = await readBinaryFile<PhrasesHeader>(file, kind, loaded);
  const { embedder, dimensions, scale, counts, sources, lengths } = header;
  const count = phraseCount(header);
  const [, , weightsLength, labelsLength] = lengths;
  const labelled = counts.topics + counts.otherNames;
  const expectedLengths = [(count + 1) * 4, weightsLength, weightsLength, labelsLength, labelled * 4];
  if (lengths.join() !== [...expectedLengths, count * hashLength, count * dimensions].join())
    throw unusableFileError(file, 'is damaged (its sections do not fit)');
  checkEmbedder(file, embedder, expected);
  const bytes = (section: number): Uint8Array => sections[section] ?? none;
  return {
    embedder,
    dimensions,
    scale,
    counts,
    sources,
    starts: viewAsNumbers(bytes(0), Uint32Array),
    verses: viewAsNumbers(bytes(1), Int32Array),
    weights: viewAsNumbers(bytes(2), Float32Array),
    labels: new TextDecoder().decode(bytes(3)).split('\n'),
    labelOf: viewAsNumbers(bytes(4), Uint32Array),
    hashes: bytes(5),
    rows: viewAsNumbers(bytes(6), Int8Array),
    rowsAt: starts[6] ?? 0,
  };
}

/** Verifies the whole file like `readPhrases`, but returns only its header. */
export const readPhrasesHeader = (file: string, expected?: ExpectedPhrases): Promise<PhrasesHeader> =>
  readPhrases(file, expected, 0);

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

/** Resolves with the bonus of the verses that the phrases nearest to a query name. `vector` is the query's vector. */
export type FindPhraseBonus = (vector: Float32Array, work?: WorkBudget) => Promise<RowValues>;

/** The bonus of an excluded phrase. It is so low that the phrase is never among the nearest. */
const exclusion = -10;

/**
 * Opens a phrases file, and a thread that compares queries with it. Throws like `readPhrases`. `without` names unused
 * topics: those from which an evaluation has its expected results, because they would make it measure too good results.
 */
export async function openPhrases(
  file: string,
  { embedder, without = new Set() }: { embedder: string; without?: ReadonlySet<string> | undefined },
) {
  const identity = fileIdentity(statSync(file, { throwIfNoEntry: false }));
  const { rowsAt, dimensions, counts, sources, ...references } = await readPhrases(file, { embedder }, 5);
  const { labels, labelOf } = references;
  const topicOf = (phrase: number): string => labels[labelOf[phrase] ?? 0] ?? '';
  const firsts = mapLists((list) =>
    phraseLists.slice(0, phraseLists.indexOf(list)).reduce((sum, before) => sum + counts[before], 0),
  );
  const isIncluded = (phrase: number): boolean => phrase >= firsts.outlines || !without.has(topicOf(phrase));
  const scan = await createVectorScan(
    { file, fileIdentity: identity, dimensions },
    phraseLists.map((list) => ({ rowsAt: rowsAt + firsts[list] * dimensions, count: counts[list] })),
  );

  /** Finds the phrases of a list nearest to a query, best first: at least `limit`, or all. */
  const createFind = (list: PhraseListName) => {
    const first = firsts[list];
    const excluded = Uint32Array.from(Array(counts[list]).keys()).filter((index) => !isIncluded(first + index));
    const bonus = { rows: excluded, values: new Float32Array(excluded.length).fill(exclusion) };
    return async (vector: Float32Array, limit: number, work?: WorkBudget): Promise<PhraseMatch[]> => {
      if (counts[list] === 0) return [];
      const { indices, cosines } = await scan.find(phraseLists.indexOf(list), { vector, limit, bonus, work });
      return Array.from(indices, (index, at) => ({ phrase: first + index, cosine: cosines[at] ?? 0 })).sort(
        (a, b) => b.cosine - a.cosine || a.phrase - b.phrase,
      );
    };
  };
  const find = mapLists(createFind);

  /** The sum of the weights that the phrases of topics give to each verse. */
  const topicWeights = new Map<number, number>();
  for (let phrase = 0; phrase < firsts.otherNames; phrase += 1) {
    if (!isIncluded(phrase)) continue;
    for (let at = references.starts[phrase] ?? 0; at < (references.starts[phrase + 1] ?? 0); at += 1) {
      const verse = references.verses[at] ?? 0;
      topicWeights.set(verse, (topicWeights.get(verse) ?? 0) + (references.weights[at] ?? 0));
    }
  }

  return {
    sources,

    /** The logarithm of 1 plus the weights with which topics name a verse of the King James Version. */
    prominenceOf: (ordinal: number): number => Math.log1p(topicWeights.get(ordinal) ?? 0),

    /** `rowOf` returns the row of a verse in the ranking. Verses are numbers such as 43003016 (John 3:16). */
    createFindPhraseBonus(rowOf: (ordinal: number) => number | null): FindPhraseBonus {
      const lists = (['topics', 'outlines', 'questions'] as const).map((list) => {
        const range = [firsts[list], firsts[list] + counts[list]] as const;
        const weightSums = list === 'topics' ? topicWeights : new Map<number, number>();
        return { list, addBonus: createPhraseBonus(references, list, { rowOf, weightSums, range }) };
      });
      return async (vector, work) => {
        const matches = await Promise.all(lists.map(({ list }) => find[list](vector, requiredPhrases(list), work)));
        const bonuses = new Map<number, number>();
        for (const [index, { addBonus }] of lists.entries()) addBonus(matches[index] ?? [], bonuses);
        return { rows: Uint32Array.from(bonuses.keys()), values: Float32Array.from(bonuses.values()) };
      };
    },

    /** Resolves with the topics nearest to the query, best first (see `rankTopics`). */
    async nearestTopics(vector: Float32Array, limit: number, work?: WorkBudget): Promise<TopicMatch[]> {
      if (limit < 1) return [];
      const names = (await find.otherNames(vector, nearNames, work)).slice(0, nearNames);
      for (let wanted = nearPhrases; ; wanted *= 4) {
        const phrases = await find.topics(vector, Math.min(wanted, counts.topics), work);
        const floor = phrases[nearPhrases - 1]?.cosine ?? phrases.at(-1)?.cosine ?? 0;
        const near = [...phrases, ...names.filter(({ cosine }) => cosine >= floor)];
        const topics = rankTopics(
          near.map(({ phrase, cosine }) => ({ topic: topicOf(phrase), cosine })),
          floor,
        );
        if (topics.length > limit || wanted >= counts.topics) return topics.slice(0, limit);
      }
    },

    close: scan.close,
  };
}

export type OpenPhrases = Awaited<ReturnType<typeof openPhrases>>;

export interface TopicMatch {
  topic: string;
  /** The mean (0 to 1, 4 decimals) of a topic's two highest cosines. The floor replaces a lower or unknown second. */
  similarity: number;
}

/** The cosine of the 200th nearest phrase is the floor (the lowest cosine that counts) when topics are ranked. */
const nearPhrases = 200;

/** The maximum number of other names of topics that are ranked. The nearest ones are taken. */
const nearNames = 50;

/** Ranks topics by their two nearest phrases, because one may be a coincidence. Ties are alphabetical. */
function rankTopics(phrases: readonly { topic: string; cosine: number }[], floor: number): TopicMatch[] {
  const cosines = new Map<string, number[]>();
  for (const { topic, cosine } of phrases) cosines.set(topic, [...(cosines.get(topic) ?? []), cosine]);
  return Array.from(cosines, ([topic, own]) => {
    const [first = 0, second = floor] = own.sort((a, b) => b - a);
    return { topic, similarity: toSimilarity((first + Math.max(second, floor)) / 2) };
  }).sort((a, b) => b.similarity - a.similarity || (a.topic < b.topic ? -1 : 1));
}
