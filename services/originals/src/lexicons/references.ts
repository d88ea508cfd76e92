import { createVersesAndParser, type VerseSpan } from '@lectern/reference-works';
import { readElements } from './xml-tree';

/**
 * Creates the parser of references such as `Ps.51.3` and `Gen.4.4-Gen.4.10` by VerseMap.xml, which
 * joins the numbering of the Hebrew Bible to the standard one. Both functions return null if the
 * verses do not exist, and for books outside the 66. Without the file, the numbers stay as they are.
 */
export async function createLexiconReferences(verseMap: string | null) {
  const standardOf = new Map<string, string>();
  for (const verse of verseMap ? await readElements(verseMap, 'verse') : [])
    standardOf.set(verse.attribute('wlc'), verse.attribute('kjv').replace(/!.*/, ''));
  const { parser } = createVersesAndParser();
  const parseStandard = (reference: string): VerseSpan[] | null => parser.parse(reference.replace(/![a-z]\b/g, ''));
  const parseHebrew = (reference: string): VerseSpan[] | null =>
    parseStandard(reference.replace(/\w+\.\d+\.\d+/g, (verse) => standardOf.get(verse) ?? verse));
  return { parseStandard, parseHebrew };
}
export type LexiconReferences = Awaited<ReturnType<typeof createLexiconReferences>>;
