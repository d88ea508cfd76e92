import { resolve } from 'node:path';
import { type Corpus, ensureCorpus, openCorpus, type Translation } from '@lectern/corpus';

/** The repository's data folder. The texts are fetched and built there once, for all tests. */
export const dataDir = process.env['LECTERN_DATA'] ?? resolve(__dirname, '../../../data');

/** Opens the corpus of the three default translations. */
export async function openRealCorpus(): Promise<Corpus> {
  await ensureCorpus({ dataDir, env: process.env, log: (line) => process.stderr.write(`${line}\n`) });
  return openCorpus(dataDir);
}

export type CorpusParts = Pick<Corpus, 'translation' | 'range' | 'translationDigest'>;

/** Returns a corpus that has only some books, and other texts for the verses in `changed`. */
export function partOf(
  corpus: Corpus,
  codes: readonly string[],
  { changed = new Map<string, string>(), digest = 'a small corpus' } = {},
): CorpusParts {
  const translation = (identifier: string): Translation | null => {
    const whole = corpus.translation(identifier);
    return whole && { ...whole, books: whole.books.filter(({ code }) => codes.includes(code)) };
  };
  return {
    translation,
    translationDigest: () => digest,
    range: (identifier, from, to) =>
      corpus.range(identifier, from, to).map((verse) => ({
        ...verse,
        text: changed.get(`${identifier} ${verse.book} ${verse.chapter}:${verse.verse}`) ?? verse.text,
      })),
  };
}
