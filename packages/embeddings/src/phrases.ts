import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type BinaryFileKind,
  readBinaryFile,
  unusableFileError,
  viewAsBytes,
  viewAsNumbers,
  writeBinaryFile,
} from '@lectern/data-files';
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

/**
 * The lists of phrases, in the order of the file. `topics` has phrases of topics, `otherNames` has
 * other names of topics, and `outlines` has titles in outlines of chapters. Phrases of `otherNames`
 * have no verses, and phrases of `outlines` have no topic.
 */
export const phraseLists = ['topics', 'otherNames', 'outlines'] as const;
export type PhraseListName = (typeof phraseLists)[number];

export interface PhrasesHeader {
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

/** The verses that each phrase names, and the topic of each phrase. */
export interface PhraseReferences {
  /**
   * For each phrase, the index of its first entry in `verses` and `weights`. The last item is the
   * length of both lists.
   */
  starts: Uint32Array;
  /** Ordinals in the standard numbering. */
  verses: Int32Array;
  /** How well a phrase describes the verse, 0 to 1. */
  weights: Float32Array;
  /** The names of topics. */
  labels: readonly string[];
  /** The index of each phrase's topic in `labels`, for the phrases and other names of topics. */
  labelOf: Uint32Array;
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
export async function readPhraseReferences(
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
