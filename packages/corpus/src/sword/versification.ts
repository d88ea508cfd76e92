import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chapterEnds, isBookCode } from '@lectern/canon';

export interface VersificationBook {
  /** The USFM code of the book. It may be the code of a book beyond the 66. */
  code: string;
  /** The number of verses of each chapter. */
  verses: readonly number[];
}

/** Returns the books of each testament, by the name of the versification: KJV, NRSVA, Vulg and others. */
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
