import { createOsisReferenceParser, type OsisReferenceParser } from './parse-osis-reference';
import { createStandardVerses, type StandardVerses } from './standard-verses';

/** The tools that all readers of reference works share. */
export interface ReadingTools {
  readonly verses: StandardVerses;
  readonly parser: OsisReferenceParser;
}

export function createReadingTools(): ReadingTools {
  const verses = createStandardVerses();
  return { verses, parser: createOsisReferenceParser(verses) };
}
