import { createOsisReferenceParser, type OsisReferenceParser } from './parse-osis-reference';
import { createStandardVerses, type StandardVerses } from './standard-verses';

/** What all readers of reference works need. */
export interface ReadingTools {
  readonly verses: StandardVerses;
  readonly parser: OsisReferenceParser;
}

export function createReadingTools(): ReadingTools {
  const verses = createStandardVerses();
  return { verses, parser: createOsisReferenceParser(verses) };
}
