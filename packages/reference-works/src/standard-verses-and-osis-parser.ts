import { createOsisReferenceParser, type OsisReferenceParser } from './parse-osis-reference';
import { createStandardVerses, type StandardVerses } from './standard-verse-spans';

/**
 * The list of existing verses and the parser of `osisRef` attributes, which all readers of
 * reference works use.
 */
export interface VersesAndParser {
  readonly verses: StandardVerses;
  readonly parser: OsisReferenceParser;
}

export function createVersesAndParser(): VersesAndParser {
  const verses = createStandardVerses();
  return { verses, parser: createOsisReferenceParser(verses) };
}
