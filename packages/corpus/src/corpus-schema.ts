import { join } from 'node:path';
import type { ChecksummedFileKind } from '@lectern/data-files';

/** The path of the corpus in a data folder. */
export const corpusFile = (dataDir: string): string => join(dataDir, 'corpus.sqlite');

/** The application id is "Lect". The format version increases when the tables change. */
export const corpusKind: ChecksummedFileKind = { name: 'corpus', applicationId: 0x4c656374, formatVersion: '1' };

/** The tables of corpus.sqlite. They call a translation `edition`: another name would be a new format version. */
export const schema = `
CREATE TABLE edition (
  number INTEGER PRIMARY KEY,
  identifier TEXT NOT NULL UNIQUE,
  origin TEXT NOT NULL,     -- default | import
  details TEXT NOT NULL,    -- JSON: a Translation without its books
  books TEXT NOT NULL,      -- JSON: its books with their verse numbers
  digest TEXT NOT NULL      -- sha256 over details, books and every verse with its tags
);
CREATE TABLE verse (edition INTEGER NOT NULL, ordinal INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (edition, ordinal)) WITHOUT ROWID;
-- Separate from the verses, so that reading text reads no tags.
CREATE TABLE word_tags (edition INTEGER NOT NULL, ordinal INTEGER NOT NULL, tags TEXT NOT NULL, PRIMARY KEY (edition, ordinal)) WITHOUT ROWID;
`;
