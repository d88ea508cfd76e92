// OSIS book identifiers (OSIS 2.1 manual, appendix C) and the USFM codes of the same books, both in
// canonical order.
const osis =
  'Gen Exod Lev Num Deut Josh Judg Ruth 1Sam 2Sam 1Kgs 2Kgs 1Chr 2Chr Ezra Neh Esth Job Ps Prov Eccl Song Isa Jer Lam Ezek Dan Hos Joel Amos Obad Jonah Mic Nah Hab Zeph Hag Zech Mal ' +
  'Matt Mark Luke John Acts Rom 1Cor 2Cor Gal Eph Phil Col 1Thess 2Thess 1Tim 2Tim Titus Phlm Heb Jas 1Pet 2Pet 1John 2John 3John Jude Rev';
const usfm =
  'GEN EXO LEV NUM DEU JOS JDG RUT 1SA 2SA 1KI 2KI 1CH 2CH EZR NEH EST JOB PSA PRO ECC SNG ISA JER LAM EZK DAN HOS JOL AMO OBA JON MIC NAM HAB ZEP HAG ZEC MAL ' +
  'MAT MRK LUK JHN ACT ROM 1CO 2CO GAL EPH PHP COL 1TH 2TH 1TI 2TI TIT PHM HEB JAS 1PE 2PE 1JN 2JN 3JN JUD REV';

const codes = usfm.split(' ');
const byOsis: ReadonlyMap<string, string> = new Map(osis.split(' ').map((name, index) => [name, codes[index] ?? '']));

/**
 * Translates an OSIS book identifier to its USFM code. Returns an identifier beyond the 66 books
 * unchanged.
 */
export const codeOfOsisBook = (name: string): string => byOsis.get(name) ?? name;

/**
 * Parses an osisID such as "Bible:Gen.1.2!a", where "!a" means a part of the verse. Returns null
 * for any other text.
 */
export function parseOsisId(id: string): { book: string; chapter: number; verse: number; part: boolean } | null {
  const match = /^(?:[^:\s]*:)?([\w-]+)\.(\d{1,3})\.(\d{1,3})([a-z]?)(![\w.]+)?$/.exec(id);
  if (!match) return null;
  const [, book = '', chapter, verse, letter, part] = match;
  return {
    book: codeOfOsisBook(book),
    chapter: Number(chapter),
    verse: Number(verse),
    part: letter !== '' || part !== undefined,
  };
}
