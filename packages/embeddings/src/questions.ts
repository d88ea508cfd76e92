import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseReference, verseOrdinal } from '@lectern/canon';

/** A text that a person may search with, in one of six languages, and the passages that answer it. */
interface Question {
  text: string;
  /** The first and the last verse of each passage, as ordinals in the standard numbering. */
  passages: readonly { first: number; last: number }[];
}

/**
 * The questions that ship with Lectern. A block begins with `# ` and references, separated by `; `. Each other line has
 * a language and its questions, separated by ` | `.
 */
const file = join(__dirname, '..', 'questions.txt');

/** Returns the SHA-256 digest of the questions that ship with Lectern, in hexadecimal. */
export const questionsDigest = (): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Reads the questions that ship with Lectern. Throws if a line of the file is malformed. */
export const readQuestions = (): Question[] =>
  readFileSync(file, 'utf8')
    .split(/^# /m)
    .slice(1)
    .flatMap((block) => {
      const [references = '', ...lines] = block.trimEnd().split('\n');
      const reference = parseReference(references);
      if (reference.kind !== 'reference') throw new Error(`questions.txt: '${references}' is not a reference`);
      const passages = reference.spans.map(({ start, end }) => ({
        first: verseOrdinal({ ...start, chapter: start.chapter ?? 0, verse: start.verse ?? 0 }),
        last: verseOrdinal({ ...end, chapter: end.chapter ?? 999, verse: end.verse ?? 999 }),
      }));
      return lines.flatMap((line) => {
        const [, texts] = /^\w\w: (.+)$/.exec(line) ?? [];
        if (texts === undefined) throw new Error(`questions.txt: '${line}' is not a language and questions`);
        return texts.split(' | ').map((text) => ({ text, passages }));
      });
    });
