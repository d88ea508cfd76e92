import type { CollectedVerses } from './verse-collector';

/** What a file says of itself; '' where it says nothing. */
export interface FoundLabels {
  name: string;
  abbrev: string;
  /** As written: en, ENG, en-GB. */
  language: string;
  note: string;
}

export interface ParsedFile extends CollectedVerses {
  found: FoundLabels;
}
