import type { ReferenceSpan, TranslationShape } from '@lectern/canon';
import { chapterEnds, formatPlace, listReferences, numberingShape, parseReference, placeOf } from '@lectern/canon';
import { readModuleNotes } from '@lectern/corpus';
import type { StandardVerses, UnresolvedReference, VerseSpan, VersesAndParser } from '@lectern/reference-works';

/** The verses that a printed note cites, and the verse that has the note. */
interface CitedVerses {
  readonly verse: number;
  readonly targets: readonly VerseSpan[];
}

/** Reads the references in the printed notes of a translation's SWORD module. */
export function readNoteReferences(confFile: string, { verses }: VersesAndParser) {
  const cited: CitedVerses[] = [];
  const unresolved: UnresolvedReference[] = [];
  const shape = numberingShape('standard');
  // Only a note with a chapter and a verse number (3:16) can have references. Most other notes explain words.
  for (const { ordinal, text } of readModuleNotes(confFile).filter((note) => /\d[:.]\d/.test(note.text))) {
    const targets: VerseSpan[] = [];
    for (const { written, spans } of referencesIn(text, shape)) {
      const resolved = spans.map((span) => resolve(span, verses));
      targets.push(...resolved.filter((span) => span !== null));
      if (resolved.length === 0 || resolved.includes(null))
        unresolved.push({ place: formatPlace(placeOf(ordinal)), reference: written });
    }
    if (targets.length > 0) cited.push({ verse: ordinal, targets });
  }
  return { cited, unresolved };
}

/** Returns the references of a note, which is either a list of references or a text that contains some. */
function referencesIn(text: string, shape: TranslationShape): { written: string; spans: readonly ReferenceSpan[] }[] {
  const whole = parseReference(text);
  if (whole.kind === 'reference') return [{ written: text, spans: whole.spans }];
  return listReferences(text, shape).map(({ reference }) => {
    const parsed = parseReference(reference);
    return { written: reference, spans: parsed.kind === 'reference' ? parsed.spans : [] };
  });
}

function resolve({ start, end }: ReferenceSpan, verses: StandardVerses): VerseSpan | null {
  const first = verses.chapterSpan(start.book, start.chapter ?? 1)?.first;
  const last = verses.chapterSpan(end.book, end.chapter ?? chapterEnds('standard', end.book).length)?.last;
  if (first === undefined || last === undefined) return null;
  return verses.span(
    { ...placeOf(first), ...(start.verse !== null && { verse: start.verse }) },
    { ...placeOf(last), ...(end.verse !== null && { verse: end.verse }) },
  );
}
