import { type BookCode, bookByCode, isBookCode, verseOrdinal } from '@lectern/canon';
import type { MarkupOptions } from '../markup-reader';
import { decodeEntities, readOsisEntry } from '../read-osis-entry';
import type { DraftTranslation, DraftVerse, TranslationLabels } from '../translation';
import { createVerseTextBuilder } from '../verse-text-builder';
import { type HiddenVerse, repairsFor } from './module-repairs';
import { openModule, type SwordEntry, type SwordModule } from './open-module';

/** Reads a whole module. Verses of books beside the 66 are left out and counted in the remarks. */
export function importModule(confFile: string, labels: TranslationLabels): DraftTranslation {
  const module = openModule(confFile);
  const { conf } = module;
  const mends = repairsFor(conf.module);
  const options: MarkupOptions = {
    tags: mends.tagsTrusted,
    joins: mends.joins,
    raiseDivineName: writesSmallCapitals(module),
  };
  const bookNames = new Map<BookCode, string>();
  const verses: DraftVerse[] = [];
  const remarks: string[] = [];
  const others = new Set<string>();
  let skipped = 0;
  let spanning = 0;

  for (const entry of module.entries()) {
    if (!isBookCode(entry.code)) {
      if (entry.verse > 0 && readEntry(module, entry, options).text !== '') {
        skipped += 1;
        others.add(entry.code);
      }
      continue;
    }
    if (entry.chapter === 0) {
      const name = bookName(entry.text);
      if (name) bookNames.set(entry.code, name);
    }
    if (entry.verse === 0) continue;
    if (entry.repeated) {
      spanning += 1;
      continue;
    }
    const slip = mends.corrections.find(
      ({ book, chapter, verse }) => book === entry.code && chapter === entry.chapter && verse === entry.verse,
    );
    const { text, words } = readEntry(
      module,
      slip ? { ...entry, text: entry.text.replace(slip.wrong, slip.right) } : entry,
      options,
    );
    if (text === '') continue;
    const ordinal = verseOrdinal({ book: entry.code, chapter: entry.chapter, verse: entry.verse });
    const here = mends.hidden.filter(
      (hidden) => hidden.book === entry.code && hidden.chapter === entry.chapter && hidden.inside === entry.verse,
    );
    const parts = splitHidden({ ordinal, text, words }, here);
    if (here.length > 0 && parts.length === 1)
      remarks.push(
        `${entry.code} ${entry.chapter}:${entry.verse} does not hold the verses that are known to hide there`,
      );
    verses.push(...parts);
  }
  if (skipped > 0) remarks.push(`left out, being of books beside the 66: ${skipped} verses (${[...others].join(' ')})`);
  if (spanning > 0) remarks.push(`numbers that stay empty, for their text stands at the number before: ${spanning}`);
  return {
    ...labels,
    bookNames,
    verses,
    remarks,
    source: { format: 'SWORD', name: conf.module, version: conf.get('Version') || null, digest: module.digest },
  };
}

function readEntry(module: SwordModule, entry: SwordEntry, options: MarkupOptions): ReturnType<typeof readOsisEntry> {
  if (module.sourceType === 'OSIS') return readOsisEntry(entry.text, options);
  const reading = createVerseTextBuilder();
  reading.write(entry.text);
  return reading.finish();
}

/** One verse as it stands, or itself and those found inside it; all or none are taken out. */
function splitHidden(verse: DraftVerse, hidden: readonly HiddenVerse[]): DraftVerse[] {
  const starts = hidden.map(({ begins }) => verse.text.indexOf(begins));
  if (hidden.length === 0 || starts.some((start, index) => start <= (starts[index - 1] ?? 0))) return [verse];
  const whole = hidden.map((found) => verseOrdinal(found));
  const from = [0, ...starts];
  return [verse.ordinal, ...whole].map((ordinal, index) => {
    const start = from[index] ?? 0;
    const end = from[index + 1] ?? verse.text.length;
    const inside = verse.words.filter((word) => word.start >= start && word.start + word.length <= end);
    return {
      ordinal,
      text: verse.text.slice(start, end).trimEnd(),
      words: inside.map((word) => ({ ...word, start: word.start - start })),
    };
  });
}

/** The running header of a book, as osis2mod keeps it from USFM. */
function bookName(introduction: string): string | null {
  for (const type of ['x-usfm-h', 'x-usfm-toc2', 'x-usfm-toc1']) {
    const milestone = new RegExp(`<milestone [^>]*type="${type}"[^>]*>`).exec(introduction)?.[0] ?? '';
    const name = decodeEntities(/\bn="([^"]*)"/.exec(milestone)?.[1] ?? '').trim();
    if (name) return name;
  }
  return null;
}

/** Some sources write the divine name "Lord" and leave its capitals to the page; where "LORD" prevails, the letters are meant as they are. */
function writesSmallCapitals(module: SwordModule): boolean {
  if (module.sourceType !== 'OSIS') return false;
  let raised = 0;
  let plain = 0;
  for (const { code, text } of module.entries()) {
    if (!bookByCode(code)) continue;
    for (const match of text.matchAll(/<divineName[^>]*>(?:<[^>]*>)*(\p{Lu}[\p{Lu}\p{Ll}])/gu)) {
      if (/\p{Ll}$/u.test(match[1] ?? '')) plain += 1;
      else raised += 1;
    }
  }
  return plain > raised;
}
