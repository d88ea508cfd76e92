import { createHash } from 'node:crypto';
import type { DocumentParagraph } from './translation';

/** The versions of a translation's text, each a digest of 16 hexadecimal digits. */
interface TextVersions {
  readonly translation: string;
  /** The versions of books and chapters, by the ordinal of verse 0. For a book, the chapter is 0 too. */
  readonly parts: ReadonlyMap<number, string>;
}

const versionDigits = 16;

const digestOf = (lines: Iterable<string>): string => {
  const hash = createHash('sha256');
  for (const line of lines) hash.update(`${line}\n`);
  return hash.digest('hex').slice(0, versionDigits);
};

/** Versions depend on verses (in canonical order), layout and documents, not on Strong's numbers and metadata. */
export function versionsOf(
  verses: Iterable<{ ordinal: number; text: string; layout: string | null }>,
  paragraphs: Iterable<DocumentParagraph & { code: string }>,
): TextVersions {
  const chapters = new Map<number, string[]>();
  for (const { ordinal, text, layout } of verses) {
    const chapter = ordinal - (ordinal % 1_000);
    const line = JSON.stringify([ordinal, text, layout]);
    const lines = chapters.get(chapter);
    if (lines) lines.push(line);
    else chapters.set(chapter, [line]);
  }
  const parts = new Map<number, string>();
  const books = new Map<number, string[]>();
  for (const [chapter, lines] of chapters) {
    const version = digestOf(lines);
    const book = chapter - (chapter % 1_000_000);
    parts.set(chapter, version);
    books.set(book, [...(books.get(book) ?? []), `${chapter} ${version}`]);
  }
  for (const [book, lines] of books) parts.set(book, digestOf(lines));
  const documents = Array.from(paragraphs, ({ code, kind, level, keyword, text }) =>
    JSON.stringify([code, kind, level, keyword, text]),
  );
  return { translation: digestOf([...[...books.values()].flat(), ...documents]), parts };
}
