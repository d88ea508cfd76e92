/** The layout of a verse in its source. Offsets count UTF-16 units of the verse's text from 0. */
export interface VerseLayout {
  readonly breaks: readonly TextBreak[];
  readonly marks: readonly TextMark[];
  readonly notes: readonly Note[];
  readonly headings: readonly Heading[];
}

/** The fields of the GraphQL type `Verse` that a page needs. */
export interface VerseWithLayout extends VerseLayout {
  readonly chapter: number;
  readonly verse: number;
  readonly text: string;
}

export type TextBreakKind = 'PARAGRAPH' | 'LINE' | 'STANZA';

/** A place where a paragraph, a line of poetry or a stanza begins. */
export interface TextBreak {
  readonly kind: TextBreakKind;
  readonly start: number;
  readonly indent: number;
}

export type TextMarkKind = 'WORDS_OF_JESUS' | 'ADDED_WORDS' | 'DIVINE_NAME';

export interface TextMark {
  readonly kind: TextMarkKind;
  readonly start: number;
  readonly length: number;
}

export type NoteKind = 'TRANSLATION' | 'CROSS_REFERENCE';

export interface Note {
  readonly kind: NoteKind;
  readonly start: number;
  readonly text: string;
  /** The references that Lectern has found in the note's text. */
  readonly references?: readonly NoteReference[];
  /** The links that the source marks in the note's text. Absent if there are none. */
  readonly links?: readonly NoteLink[];
}

/** A link to verses of the same translation. */
export interface NoteLink {
  readonly start: number;
  readonly length: number;
  /** The target as the source writes it, such as "GEN 1:1-5" or "Gen.1.1". */
  readonly target: string;
}

export interface NoteReference {
  readonly reference: string;
  readonly start: number;
  readonly length: number;
}

export type HeadingKind = 'PSALM_TITLE' | 'SECTION' | 'ACROSTIC';

export interface Heading {
  readonly kind: HeadingKind;
  readonly start: number;
  readonly text: string;
}

/** The verses of a chapter or a passage in the way a page shows them, from top to bottom. */
export interface Layout {
  readonly blocks: readonly Block[];
  /** The notes in the order of their markers. */
  readonly notes: readonly NumberedNote[];
}

export type Block =
  | { readonly kind: 'heading'; readonly headingKind: HeadingKind; readonly text: string }
  | { readonly kind: 'paragraph'; readonly content: readonly Inline[] }
  | { readonly kind: 'stanza'; readonly lines: readonly Line[] };

/** A line of poetry. `indent` is its level of indentation, from 0. */
export interface Line {
  readonly indent: number;
  readonly content: readonly Inline[];
}

export type Inline =
  /** The label of a verse: its number, with the chapter ("4:1") at the first verse of a later chapter. */
  | { readonly kind: 'verse-number'; readonly label: string }
  /** A piece of text in which all characters have the same marks, the outermost mark first. */
  | { readonly kind: 'text'; readonly text: string; readonly marks: readonly TextMarkKind[] }
  | { readonly kind: 'note'; readonly number: number };

/** A note with its number on the page, from 1. */
export interface NumberedNote {
  readonly number: number;
  readonly kind: NoteKind;
  readonly text: string;
  readonly references: readonly NoteReference[];
}
