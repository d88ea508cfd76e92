/** The members of a GraphQL `Verse` that its layout needs. Offsets count UTF-16 units of `text` from 0. */
export interface VerseWithLayout {
  readonly chapter: number;
  readonly verse: number;
  readonly text: string;
  readonly breaks: readonly TextBreak[];
  readonly marks: readonly TextMark[];
  readonly notes: readonly Note[];
  readonly headings: readonly Heading[];
}

export interface TextBreak {
  readonly kind: 'PARAGRAPH' | 'LINE' | 'STANZA';
  readonly start: number;
  readonly indent: number;
}

export type TextMarkKind = 'WORDS_OF_JESUS' | 'ADDED_WORDS' | 'DIVINE_NAME';

export interface TextMark {
  readonly kind: TextMarkKind;
  readonly start: number;
  readonly length: number;
}

export interface Note {
  readonly kind: 'TRANSLATION' | 'CROSS_REFERENCE';
  readonly start: number;
  readonly text: string;
}

export type HeadingKind = 'PSALM_TITLE' | 'SECTION' | 'ACROSTIC';

export interface Heading {
  readonly kind: HeadingKind;
  readonly start: number;
  readonly text: string;
}

/** The verses of a chapter or a passage as they stand on a page, from top to bottom. */
export interface Layout {
  readonly blocks: readonly Block[];
  /** The notes in the order of their markers. */
  readonly notes: readonly NumberedNote[];
}

export type Block = HeadingBlock | ParagraphBlock | StanzaBlock;

export interface HeadingBlock {
  readonly kind: 'heading';
  readonly headingKind: HeadingKind;
  readonly text: string;
}

export interface ParagraphBlock {
  readonly kind: 'paragraph';
  readonly content: readonly Inline[];
}

export interface StanzaBlock {
  readonly kind: 'stanza';
  readonly lines: readonly Line[];
}

/** A line of poetry. `indent` counts steps from 0. */
export interface Line {
  readonly indent: number;
  readonly content: readonly Inline[];
}

export type Inline = VerseNumber | TextRun | NoteMarker;

/** `label` is the number of the verse, with the chapter before it ("4:1") where a later chapter begins. */
export interface VerseNumber {
  readonly kind: 'verse-number';
  readonly label: string;
}

/** Text with the same marks throughout. The outermost mark comes first. */
export interface TextRun {
  readonly kind: 'text';
  readonly text: string;
  readonly marks: readonly TextMarkKind[];
}

export interface NoteMarker {
  readonly kind: 'note';
  readonly number: number;
}

/** A note with its number on the page, from 1. */
export interface NumberedNote {
  readonly number: number;
  readonly kind: Note['kind'];
  readonly text: string;
}
