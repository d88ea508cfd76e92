import { formatPlace, isBookCode } from '@lectern/canon';
import { openCorpus } from '@lectern/corpus';
import { openOriginalsStore } from '../store';
import type { AlignedVerse, VerseAligner } from './aligned-verses';

const usage = `Usage: npm run unaligned -w services/originals -- TRANSLATION [BOOK ...]

Lists the Strong's numbers of a translation for which no word of the original is known: verse, words, number and reason,
separated by tabs. BOOK is a USFM code, such as GEN; without one, all books are read. The last two lines count the
numbers of each language and those with a word.

  --help    this text`;

/**
 * Yields each Strong's number of the verses. `line` describes a number for which no original word was found, and is
 * null for all other numbers.
 */
function* numbersOf(aligner: VerseAligner, verses: readonly AlignedVerse[]) {
  for (const { parts, text, tags, originals: own } of verses)
    for (const { start, length, strongs, originals } of tags)
      for (const [index, number] of strongs.entries()) {
        const place = formatPlace(parts);
        const words = text.slice(start, start + length);
        yield { number, line: originals[index] ? null : [place, words, number, reasonOf(number, own)].join('\t') };
      }
  function reasonOf(number: string, words: AlignedVerse['originals']): string {
    if (words.length === 0) return 'no original verse';
    const isThere = aligner.numbersOf(words).has(number);
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
    for (const { code: book, chapters } of translation.books) {
      if (books.length > 0 && !books.includes(book)) continue;
      for (const [index, verses] of chapters.entries()) {
        const places = verses.map((verse) => ({ book, chapter: index + 1, verse }));
        for (const { number, line } of numbersOf(aligner, aligner.align(translation, places))) {
          const count = counts[number.startsWith('H') ? 'H' : 'G'];
          count.all += 1;
          if (line === null) count.known += 1;
          else write(line);
        }
      }
    }
    write(`Hebrew: ${counts.H.known} of ${counts.H.all} numbers\nGreek: ${counts.G.known} of ${counts.G.all} numbers`);
    return 0;
  } finally {
    close();
    corpus.close();
  }
}
