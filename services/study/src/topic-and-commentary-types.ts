import type { VerseSpan } from '@lectern/reference-works';

/** A published work from which topics, cross references or notes come. */
export interface Source {
  readonly number: number;
  readonly id: string;
  readonly title: string;
  readonly author: string | null;
  readonly year: number | null;
  readonly licence: string;
}

export interface Commentary {
  readonly source: Source;
  readonly noteCount: number;
}

export interface Topic {
  /** The position of the topic in alphabetical order, from 1. */
  readonly number: number;
  readonly name: string;
  readonly verseCount: number;
  /** The numbers of the topics that the topic refers to. */
  readonly seeAlso: readonly number[];
}

/** A page of topics. */
export interface TopicPage {
  readonly totalCount: number;
  /** The position of the page's first topic in the list, from 0. */
  readonly start: number;
  readonly topics: readonly Topic[];
}

/** A topic that names a verse. */
export interface VerseTopic {
  readonly topic: Topic;
  readonly section: string | null;
  readonly entry: string | null;
}

/** Consecutive verses that sources name as a cross reference of a verse. */
export interface CrossReference extends VerseSpan {
  readonly sources: readonly Source[];
}

export interface CommentaryNote {
  readonly commentary: Commentary;
  readonly span: VerseSpan;
  readonly heading: string | null;
  readonly text: string;
  readonly references: readonly { readonly start: number; readonly length: number; readonly target: VerseSpan }[];
}
