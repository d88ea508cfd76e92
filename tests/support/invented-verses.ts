import type { VerseWithLayout } from '@lectern/verse-layout';

// The text of these verses is invented, because the repository contains no Bible text.
// The screenshots in the documentation show these verses.

/** A psalm: a title, a stanza of indented lines, a note, added words and the divine name. */
export const inventedPsalm: readonly VerseWithLayout[] = [
  {
    chapter: 1,
    verse: 1,
    text: 'The LORD is a river in the valley; beside its banks I sit down.',
    breaks: [
      { kind: 'STANZA', start: 0, indent: 0 },
      { kind: 'LINE', start: 0, indent: 0 },
      { kind: 'LINE', start: 35, indent: 1 },
    ],
    marks: [
      { kind: 'DIVINE_NAME', start: 4, length: 4 },
      { kind: 'ADDED_WORDS', start: 9, length: 2 },
    ],
    notes: [{ kind: 'TRANSLATION', start: 33, text: 'Or “in the plain”.' }],
    headings: [{ kind: 'PSALM_TITLE', start: 0, text: 'A song of the harvest.' }],
  },
  {
    chapter: 1,
    verse: 2,
    text: 'Its water does not end in summer; the reeds keep singing.',
    breaks: [
      { kind: 'LINE', start: 0, indent: 0 },
      { kind: 'LINE', start: 34, indent: 1 },
    ],
    marks: [],
    notes: [],
    headings: [],
  },
];

/** Two paragraphs with a heading and words of Jesus. */
export const inventedChapter: readonly VerseWithLayout[] = [
  {
    chapter: 2,
    verse: 1,
    text: 'On the third day they came to the well. Jesus said to them, “Lower the bucket, and wait.”',
    breaks: [{ kind: 'PARAGRAPH', start: 0, indent: 0 }],
    marks: [{ kind: 'WORDS_OF_JESUS', start: 60, length: 30 }],
    notes: [],
    headings: [{ kind: 'SECTION', start: 0, text: 'At the well' }],
  },
  {
    chapter: 2,
    verse: 2,
    text: 'They said, “How long?” He answered, “Until the rope is wet.”',
    breaks: [{ kind: 'PARAGRAPH', start: 0, indent: 0 }],
    marks: [{ kind: 'WORDS_OF_JESUS', start: 36, length: 24 }],
    notes: [],
    headings: [],
  },
];
