import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { books, type Place } from '@lectern/canon';
import type { SourceVerse } from './hebrew';

/** Matches the signs in MorphGNT's text that refer to its critical apparatus. They are not punctuation. */
const apparatus = /[⸀⸁⸂⸃⸄⸅]\d?/g;

/**
 * Reads the verses of MorphGNT, whose files have one line of seven columns for each word. Throws an Error that names
 * the first line in another format.
 */
export function* readGreekVerses(folder: string): Generator<SourceVerse> {
  for (const name of readdirSync(folder)
    .filter((each) => /^\d.*-morphgnt\.txt$/.test(each))
    .sort()) {
    const file = join(folder, name);
    let verse: SourceVerse | null = null;
    let verseKey = '';
    for (const [index, line] of readFileSync(file, 'utf8').trimEnd().split('\n').entries()) {
      const [key = '', partOfSpeech, letters, text, surface, , lemma, ...more] = line.split(' ');
      const place = placeOf(key);
      if (!place || !text || !surface || !lemma || more.length > 0 || !text.includes(surface))
        throw new Error(`${file}, line ${index + 1} is cut off, or is not a line of MorphGNT`);
      if (!verse || key !== verseKey) {
        if (verse) yield verse;
        verseKey = key;
        verse = { ...place, place: `${file}, line ${index + 1}`, words: [] };
      }
      const start = text.indexOf(surface);
      verse.words.push({
        surface: surface.normalize('NFC'),
        lemma: lemma.normalize('NFC'),
        code: `${partOfSpeech} ${letters}`,
        before: text.slice(0, start).replace(apparatus, ''),
        after: `${text.slice(start + surface.length).replace(apparatus, '')} `,
        qere: null,
      });
    }
    if (verse) yield verse;
  }
}

/** Reads a place such as 010102: book 1 of the New Testament, chapter 1, verse 2. */
function placeOf(key: string): Place | null {
  const [, book, chapter, verse] = /^(\d\d)(\d\d)(\d\d)$/.exec(key) ?? [];
  const code = books[Number(book) + 38]?.code;
  return code && book !== '00' ? { book: code, chapter: Number(chapter), verse: Number(verse) } : null;
}
