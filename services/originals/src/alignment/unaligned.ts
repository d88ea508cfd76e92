import { isBookCode } from '@lectern/canon';
import { openCorpus, type Translation } from '@lectern/corpus';
import { openOriginalsStore } from '../store';
import type { AlignedVerse, VerseAligner } from './aligned-verses';

const usage = `Usage: npm run unaligned -w services/originals -- TRANSLATION [BOOK ...]

Lists the Strong's numbers of a translation for which no word of the original is known: verse, words, number and reason,
separated by tabs. BOOK is a USFM code, such as GEN; without one, all books are read. The last two lines count the
numbers of each language and those with a word.

  --help    this text`;

type Reason = 'no original verse' | 'no such word in the original verse' | 'fewer such words in the original verse';

/**
 * Yields each Strong's number of each verse. `line` describes a number for which no original word was found, and is
 * null for all other numbers.
 */
function* numbersOf(
  aligner: VerseAligner,
  translation: Translation,
  only: readonly string[],
): Generator<{ number: string; line: string | null }> {
  for (const { code: book, chapters } of translation.books) {
    if (only.length > 0 && !only.includes(book)) continue;
    for (const [index, verses] of chapters.entries()) {
      const places = verses.map((verse) => ({ book, chapter: index + 1, verse }));
      for (const verse of aligner.align(translation, places)) yield* numbersOfVerse(aligner, verse);
    }
  }
}

function* numbersOfVerse(
  aligner: VerseAligner,
  verse: AlignedVerse,
): Generator<{ number: string; line: string | null }> {
  const place = `${verse.parts.book} ${verse.parts.chapter}:${verse.parts.verse}`;
  for (const { start, length, strongs, originals } of verse.tags) {
    const words = verse.text.slice(start, start + length);
    for (const [index, number] of strongs.entries()) {
      const line = originals[index] ? null : [place, words, number, reasonOf(number)].join('\t');
      yield { number, line };
    }
  }
  function reasonOf(number: string): Reason {
    if (verse.originals.length === 0) return 'no original verse';
    const isThere = aligner.numbersOf(verse.originals).has(number);
    return isThere ? 'fewer such words in the original verse' : 'no such word in the original verse';
  }
}

/** Runs the command. Resolves to the exit status: 0 success, 1 failure, 2 a usage error. */
export async function runUnalignedCommand(
  [identifier, ...books]: readonly string[],
  { dataDir, write, log }: { dataDir: string; write: (line: string) => void; log: (line: string) => void },
): Promise<number> {
  if (identifier === '--help') {
    write(usage);
    return 0;
  }
  if (identifier === undefined || identifier.startsWith('-')) {
    log('unaligned: name a TRANSLATION, such as eng-kjv; --help shows the usage');
    return 2;
  }
  const unknown = books.find((code) => !isBookCode(code));
  if (unknown !== undefined) {
    log(`unaligned: '${unknown}' is no book code; --help shows the usage`);
    return 2;
  }
  const corpus = openCorpus(dataDir);
  const { aligner, reader, missing, close } = openOriginalsStore({ dataDir, corpus });
  try {
    const translation = corpus.translation(identifier);
    if (!translation || reader.texts.length === 0) {
      log(`unaligned: ${translation ? missing : `there is no translation '${identifier}'`}`);
      return 1;
    }
    const counts = { H: { all: 0, known: 0 }, G: { all: 0, known: 0 } };
    for (const { number, line } of numbersOf(aligner, translation, books)) {
      const count = counts[number.startsWith('H') ? 'H' : 'G'];
      count.all += 1;
      if (line === null) count.known += 1;
      else write(line);
    }
    write(`Hebrew: ${counts.H.known} of ${counts.H.all} numbers\nGreek: ${counts.G.known} of ${counts.G.all} numbers`);
    return 0;
  } finally {
    close();
    corpus.close();
  }
}
