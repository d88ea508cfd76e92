import {
  chapterEnds,
  formatPlace,
  isBookCode,
  type Numbering,
  placeOf,
  type ReferencePoint,
  type ReferenceSpan,
  verseOrdinal,
} from '@lectern/canon';
import type { DraftTranslation, DraftVerse, Finding } from '../translation';
import { codeOfAnyOsisBook } from './osis';

const numbers = String.raw`(\d{1,3})(?:[:.](\d{1,3})(?:[a-z]|!\w{1,9})?)?`;
const book = String.raw`(?:[\w.]{0,40}:)?(\w{2,8})[ .]`;
const pattern = new RegExp(`^\\s*${book}${numbers}(?:[-–](?:${book})?${numbers})?\\s*$`);

/** Parses "GEN 1:1-5", "GEN 1:1-2:3", "GEN.1.1" (USFX) and "Bible:Gen.1.1-Gen.1.5" (OSIS). Null for other text. */
export function parseLinkTarget(text: string): ReferenceSpan | null {
  const match = text.length > 100 ? null : pattern.exec(text);
  if (!match) return null;
  const [, name = '', chapter, verse, lastName = name, one, two] = match;
  const start = pointOf(name, chapter, verse);
  if (one === undefined) return start && { start, end: start };
  // The end "5" of "GEN 1:1-5" is a verse, but the end "5" of "GEN 1-5" is a chapter.
  const isVerse = lastName === name && two === undefined && verse !== undefined && match[4] === undefined;
  const end = isVerse ? pointOf(name, chapter, one) : pointOf(lastName, one, two);
  return start && end && { start, end };
}

function pointOf(name: string, chapter?: string, verse?: string): ReferencePoint | null {
  const code = codeOfAnyOsisBook(name);
  return isBookCode(code)
    ? { book: code, chapter: Number(chapter), verse: verse === undefined ? null : Number(verse) }
    : null;
}

/** Returns whether both ends of the target exist as verses or chapters in the numbering. */
function isLinkTarget(text: string, numbering: Numbering): boolean {
  const span = parseLinkTarget(text);
  const exists = ({ book: code, chapter, verse }: ReferencePoint): boolean =>
    (verse ?? 1) >= 1 && (verse ?? 1) <= (chapterEnds(numbering, code)[(chapter ?? 0) - 1] ?? 0);
  const ordinal = ({ book: code, chapter, verse }: ReferencePoint, last: number): number =>
    verseOrdinal({ book: code, chapter: chapter ?? 0, verse: verse ?? last });
  return span !== null && exists(span.start) && exists(span.end) && ordinal(span.start, 1) <= ordinal(span.end, 999);
}

/** Removes the links whose target does not exist in the numbering, and adds a finding for each. */
export function withValidLinks(draft: DraftTranslation): DraftTranslation {
  const findings: Finding[] = [];
  const verses = draft.verses.map((verse): DraftVerse => {
    if (!verse.layout.notes.some(({ links }) => links)) return verse;
    const notes = verse.layout.notes.map(({ links = [], ...note }) => {
      const valid = links.filter(({ target }) => isLinkTarget(target, draft.numbering));
      for (const { target } of links.filter((link) => !valid.includes(link)))
        findings.push({
          kind: 'note',
          place: formatPlace(placeOf(verse.ordinal)),
          message: `the link '${target.slice(0, 60)}' of a note names no verse`,
          ...(draft.positions.get(verse.ordinal) ?? { file: draft.source.name, line: null }),
        });
      return valid.length === 0 ? note : { ...note, links: valid };
    });
    return { ...verse, layout: { ...verse.layout, notes } };
  });
  if (findings.length === 0) return { ...draft, verses };
  const remark = `links of notes that name no verse, in whose place the text of the note counts: ${findings.length}`;
  return { ...draft, verses, remarks: [...draft.remarks, remark], findings: [...draft.findings, ...findings] };
}
