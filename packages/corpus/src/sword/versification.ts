import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chapterEnds, isBookCode } from '@lectern/canon';

export interface VersificationBook {
  /** The USFM code of the book, which may be a book outside the canon of 66. */
  code: string;
  /** The number of verses of each chapter, from chapter 1. */
  verses: readonly number[];
}

/** Reads the versifications that SWORD defines, such as KJV, NRSVA and Vulg: the books of each testament, by name. */
export function readVersifications(): ReadonlyMap<string, Record<'ot' | 'nt', readonly VersificationBook[]>> {
  const found = new Map<string, Record<'ot' | 'nt', VersificationBook[]>>();
  for (const line of readFileSync(join(__dirname, '..', '..', 'versifications.tsv'), 'utf8')
    .trimEnd()
    .split('\n')) {
    if (line.startsWith('#')) continue;
    const [name = '', testament, code = '', numbers] = line.split('\t');
    const versification = found.get(name) ?? { ot: [], nt: [] };
    found.set(name, versification);
    const verses = numbers?.split(' ').map(Number) ?? (isBookCode(code) ? chapterEnds('standard', code) : []);
    versification[testament === 'ot' ? 'ot' : 'nt'].push({ code, verses });
  }
  return found;
}
