import { z } from 'zod';
import type { Source } from './translation-attribution';
import { sourceLine } from './translation-attribution';

export const verseSchema = z.object({ reference: z.string(), text: z.string() });

export const linkSchema = z.string().describe('A page for people to read on.');

export const noteSchema = z
  .string()
  .nullable()
  .describe('What the answer leaves out and how to get it, or why it is empty. Null if there is nothing to say.');

export const nextPageSchema = z
  .string()
  .nullable()
  .describe('Send it as `after` with the same arguments for the next page. Null on the last page.');

export const toVerse = ({ reference, text }: { reference: string; text: string }) => ({ reference, text });

export const verseLine = ({ reference, text }: { reference: string; text: string }): string => `${reference}  ${text}`;

export interface AnswerEnd {
  readonly sources?: readonly Source[];
  readonly link: string;
  readonly note: string | null;
}

/**
 * Joins the lines of an answer, and appends the note if there is one, a line for each translation with
 * its attribution, and the link.
 */
export function answerText(lines: readonly string[], { sources = [], link, note }: AnswerEnd): string {
  const end = [...(note === null ? [] : [`Note: ${note}`]), ...sources.map(sourceLine), `Link: ${link}`];
  return `${lines.join('\n').trimEnd()}\n\n${end.join('\n')}`.trimStart();
}

/** Returns the note of a page of verses, or null on the last page. */
export function pageNote(shown: number, total: number | null, nextPage: string | null): string | null {
  if (nextPage === null) return null;
  const left = total === null ? 'There are more verses.' : `This page has ${shown} of ${total} verses.`;
  return `${left} For the next page, call the tool again with the same arguments and after: ${JSON.stringify(nextPage)}.`;
}
