import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';

export interface DocumentationExample {
  /** The heading of the section that contains the example, without its number signs. */
  readonly section: string;
  readonly language: string;
  /** The file to save the example in: the word after the language. Null if the page names no file. */
  readonly file: string | null;
  readonly code: string;
}

/** Reads the fenced code blocks of a Markdown page, in their order. `page` is a path below the repository's root. */
export function readDocumentationExamples(page: string): DocumentationExample[] {
  const text = readFileSync(join(repositoryRoot, page), 'utf8');
  let section = '';
  return [...text.matchAll(/^#+ (.+)$|^```(\w+)(?: (\S+))?\n([^]*?)^```$/gm)].flatMap(
    ([, heading, language = '', file = null, code = '']) => {
      if (heading === undefined) return [{ section, language, file, code }];
      section = heading;
      return [];
    },
  );
}
