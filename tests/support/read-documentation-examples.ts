import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';

export interface DocumentationExample {
  /** The heading of the section that contains the example, without its number signs. */
  readonly section: string;
  readonly language: string;
  /** The word after the language: the file in which a reader saves the example. */
  readonly file: string | null;
  readonly code: string;
}

/** Reads the fenced code blocks of a page, a path relative to the repository's root, in order. */
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
