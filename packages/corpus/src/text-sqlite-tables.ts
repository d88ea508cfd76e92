import type { TranslationFileKind } from '@lectern/data-files';

/**
 * Identifies the text.sqlite of a translation. The application id is "Lect" in ASCII. The format
 * version increases when the tables change.
 */
export const textKind: TranslationFileKind = {
  name: 'translation text',
  fileName: 'text',
  applicationId: 0x4c656374,
  formatVersion: '3',
  // Most requests read one verse or one chapter, which takes less time if the file is mapped into
  // memory.
  isMemoryMapped: true,
};

/**
 * The tables of text.sqlite. Tags and layout are separate from the verses, so that reading text
 * reads neither.
 */
export const textTables = `
CREATE TABLE verse (ordinal INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE word_tags (ordinal INTEGER PRIMARY KEY, tags TEXT NOT NULL);
CREATE TABLE layout (ordinal INTEGER PRIMARY KEY, layout TEXT NOT NULL);
`;
