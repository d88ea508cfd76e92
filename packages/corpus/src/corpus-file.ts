import type { ChecksummedFileKind } from '@lectern/data-files';

/** "Lect" in its header; the format is raised when the tables change. */
export const corpusKind: ChecksummedFileKind = { name: 'corpus', applicationId: 0x4c656374, formatVersion: '1' };

export const schema = `
CREATE TABLE edition (
  number INTEGER PRIMARY KEY,
  identifier TEXT NOT NULL UNIQUE,
  origin TEXT NOT NULL,     -- default | import
  details TEXT NOT NULL,    -- JSON: all of an Translation but its books
  books TEXT NOT NULL,      -- JSON: its books with the numbers of their verses
  digest TEXT NOT NULL      -- sha256 over details, names and every verse with its tags
);
CREATE TABLE verse (edition INTEGER NOT NULL, ordinal INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (edition, ordinal)) WITHOUT ROWID;
-- Apart from the verses, so that reading text touches no tags.
CREATE TABLE word_tags (edition INTEGER NOT NULL, ordinal INTEGER NOT NULL, tags TEXT NOT NULL, PRIMARY KEY (edition, ordinal)) WITHOUT ROWID;
`;
