import { join } from 'node:path';
import type { Corpus } from '@lectern/corpus';
import {
  type BinaryFileKind,
  isChecksummedFileError,
  readBinaryFile,
  unusableFileError,
  viewAsBytes,
  viewAsNumbers,
  writeBinaryFile,
} from '@lectern/data-files';
import { createLexicalOverlap, indexStems, type LexicalOverlap, type StemIndex } from './lexical-overlap';
import { checkOrigin, type Expected } from './vectors-file';
import { eachVerseText, secondTranslation, textsDigest } from './verse-texts';

const kind: BinaryFileKind = { magic: 'LECTCOV\n', formatVersion: 1, name: 'word index' };

/** Returns the path of a translation's word index in the data folder. */
export const lexicalOverlapFile = (dataDir: string, translation: string): string =>
  join(dataDir, `${translation}.words`);

interface LexicalOverlapHeader {
  translation: string;
  textsDigest: string;
  count: number;
  texts: { language: string; withText: number; stems: number }[];
}

export interface BuildLexicalOverlapOptions {
  corpus: Pick<Corpus, 'translation' | 'range' | 'translationDigest'>;
  /** The translation's identifier. */
  translation: string;
  file: string;
}

/**
 * Writes the word index of a translation, with the words of its verses and of the same verses in
 * English. A verse has the same position as in the translation's vectors. Returns false if the file
 * was up to date.
 */
export async function buildLexicalOverlap({ corpus, translation, file }: BuildLexicalOverlapOptions): Promise<boolean> {
  if (await isLexicalOverlapUpToDate({ corpus, translation, file })) return false;
  const languages = [translation, secondTranslation].map(
    (identifier) => corpus.translation(identifier)?.language ?? '',
  );
  const { indexes, count } = indexStems(languages, textsOf(corpus, translation));
  const texts = indexes.map(({ language, withText, stems }) => ({ language, withText, stems: stems.length }));
  const sections = indexes.flatMap(({ stems, starts, verses, weights }) => [
    Buffer.from(stems.join('\n')),
    viewAsBytes(starts),
    viewAsBytes(verses),
    viewAsBytes(weights),
  ]);
  await writeBinaryFile(
    file,
    kind,
    {
      translation,
      textsDigest: textsDigest(corpus.translationDigest, translation),
      count,
      texts,
    } satisfies LexicalOverlapHeader,
    sections,
  );
  return true;
}

function* textsOf(
  corpus: Pick<Corpus, 'translation' | 'range'>,
  translation: string,
): IterableIterator<[string, string]> {
  for (const { text, second } of eachVerseText(corpus, translation)) yield [text, second];
}

/** Resolves to true if the word index is intact and made from these texts. */
export async function isLexicalOverlapUpToDate({
  corpus,
  translation,
  file,
}: BuildLexicalOverlapOptions): Promise<boolean> {
  try {
    const { header } = await readBinaryFile<LexicalOverlapHeader>(file, kind, () => null);
    checkOrigin(file, header, { translation, textsDigest: textsDigest(corpus.translationDigest, translation) });
    return true;
  } catch (error) {
    if (isChecksummedFileError(error)) return false;
    throw error;
  }
}

/**
 * Opens a word index. Throws a ChecksummedFileError if the file is missing, damaged, or not the
 * expected file.
 */
export async function openLexicalOverlap(file: string, expected: Expected = {}): Promise<LexicalOverlap> {
  const { header, sections } = await readBinaryFile<LexicalOverlapHeader>(file, kind);
  checkOrigin(file, header, expected);
  const indexes = header.texts.map(({ language, withText, stems: stemCount }, index): StemIndex => {
    const [stems, starts, verses, weights] = sections.slice(index * 4, index * 4 + 4);
    if (
      !stems ||
      !starts ||
      !verses ||
      !weights ||
      starts.length !== (stemCount + 1) * 4 ||
      verses.length !== weights.length
    )
      throw unusableFileError(file, 'is damaged (its sections do not fit)');
    return {
      language,
      withText,
      stems: new TextDecoder().decode(stems).split('\n'),
      starts: viewAsNumbers(starts, Uint32Array),
      verses: viewAsNumbers(verses, Uint32Array),
      weights: viewAsNumbers(weights, Float32Array),
    };
  });
  return createLexicalOverlap(indexes, header.count);
}
