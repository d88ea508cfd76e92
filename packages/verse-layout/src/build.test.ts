import type { Layout, TextBreak, VerseWithLayout } from './index';
import { buildLayout, renderHtml, renderMarkdown, renderText } from './index';

const verseOf = (verse: number, text: string, layout: Partial<VerseWithLayout> = {}): VerseWithLayout => ({
  chapter: 1,
  verse,
  text,
  breaks: [],
  marks: [],
  notes: [],
  headings: [],
  ...layout,
});
const lineAt = (start: number, indent = 0): TextBreak => ({ kind: 'LINE', start, indent });
const stanzaAt = (start: number, indent = 0): TextBreak => ({ kind: 'STANZA', start, indent });
const paragraphAt = (start: number): TextBreak => ({ kind: 'PARAGRAPH', start, indent: 0 });

/**
 * Two lines of poetry with a title and an added word, then prose with words of Jesus and a note.
 */
const psalm: readonly VerseWithLayout[] = [
  verseOf(1, 'The river is my friend; I shall not thirst.', {
    headings: [{ kind: 'PSALM_TITLE', start: 0, text: 'A song of the <valley>.' }],
    breaks: [stanzaAt(0), lineAt(24, 1)],
    marks: [{ kind: 'ADDED_WORDS', start: 10, length: 2 }],
  }),
  verseOf(2, 'He said, “Come & drink.” They came.', {
    breaks: [paragraphAt(0)],
    marks: [{ kind: 'WORDS_OF_JESUS', start: 9, length: 15 }],
    notes: [{ kind: 'TRANSLATION', start: 23, text: 'Or “eat & drink”.' }],
  }),
  verseOf(3, 'All drank.'),
];

test('buildLayout creates a block for each heading, stanza and paragraph, and a line for each line of poetry', () => {
  expect(buildLayout(psalm).blocks).toEqual([
    { kind: 'heading', headingKind: 'PSALM_TITLE', text: 'A song of the <valley>.' },
    {
      kind: 'stanza',
      lines: [
        {
          indent: 0,
          content: [
            { kind: 'verse-number', label: '1' },
            { kind: 'text', text: 'The river ', marks: [] },
            { kind: 'text', text: 'is', marks: ['ADDED_WORDS'] },
            { kind: 'text', text: ' my friend;', marks: [] },
          ],
        },
        { indent: 1, content: [{ kind: 'text', text: 'I shall not thirst.', marks: [] }] },
      ],
    },
    {
      kind: 'paragraph',
      content: [
        { kind: 'verse-number', label: '2' },
        { kind: 'text', text: 'He said, ', marks: [] },
        { kind: 'text', text: '“Come & drink.', marks: ['WORDS_OF_JESUS'] },
        { kind: 'note', number: 1 },
        { kind: 'text', text: '”', marks: ['WORDS_OF_JESUS'] },
        { kind: 'text', text: ' They came.', marks: [] },
        { kind: 'text', text: ' ', marks: [] },
        { kind: 'verse-number', label: '3' },
        { kind: 'text', text: 'All drank.', marks: [] },
      ],
    },
  ]);
});

test('buildLayout numbers the notes of all its verses from 1, and keeps the references of each note', () => {
  const note = (text: string) => ({ kind: 'TRANSLATION' as const, start: 1, text });
  const references = [{ reference: 'John 3:7', start: 4, length: 8 }];
  expect(
    buildLayout([
      verseOf(1, 'ab', { notes: [note('x')] }),
      verseOf(2, 'ab', { notes: [{ ...note('See John 3:7'), references }] }),
    ]).notes,
  ).toEqual([
    { number: 1, kind: 'TRANSLATION', text: 'x', references: [] },
    { number: 2, kind: 'TRANSLATION', text: 'See John 3:7', references },
  ]);
});

test('buildLayout puts verses without breaks into one paragraph', () => {
  expect(renderText(buildLayout([verseOf(1, 'One.'), verseOf(2, 'Two.')]))).toBe('1 One. 2 Two.\n');
});

test('buildLayout returns no blocks and no notes for an empty list of verses', () => {
  expect(buildLayout([])).toEqual({ blocks: [], notes: [] });
});

test('buildLayout keeps the number of a verse whose text is empty', () => {
  expect(renderText(buildLayout([verseOf(1, ''), verseOf(2, 'Two.')]))).toBe('1  2 Two.\n');
});

test('buildLayout labels the first verse of each later chapter with chapter and verse, such as 2:1', () => {
  expect(renderText(buildLayout([verseOf(31, 'End.'), { ...verseOf(1, 'Start.'), chapter: 2 }]))).toBe(
    '31 End. 2:1 Start.\n',
  );
});

test('buildLayout creates one line and no empty block if a paragraph, a stanza and a line of poetry begin at the same offset', () => {
  const verse = verseOf(1, 'A line.', { breaks: [paragraphAt(0), stanzaAt(0), lineAt(0, 2)] });
  expect(buildLayout([verse]).blocks).toEqual([{ kind: 'stanza', lines: [{ indent: 2, content: expect.any(Array) }] }]);
});

test('buildLayout starts a new paragraph after a heading in the middle of a verse', () => {
  const verse = verseOf(1, 'Before. After.', { headings: [{ kind: 'SECTION', start: 8, text: 'Middle' }] });
  expect(renderText(buildLayout([verse]))).toBe('1 Before.\n\nMiddle\n\nAfter.\n');
});

test('buildLayout moves an offset outside the text of a verse to the beginning or end of the text', () => {
  const verse = verseOf(1, 'Word', {
    breaks: [lineAt(99), lineAt(-5)],
    notes: [{ kind: 'TRANSLATION', start: 99, text: 'late' }],
    headings: [{ kind: 'SECTION', start: -1, text: 'early' }],
    marks: [{ kind: 'DIVINE_NAME', start: 2, length: 99 }],
  });
  expect(buildLayout([verse]).blocks).toEqual([
    { kind: 'heading', headingKind: 'SECTION', text: 'early' },
    {
      kind: 'stanza',
      lines: [
        {
          indent: 0,
          content: [
            { kind: 'verse-number', label: '1' },
            { kind: 'text', text: 'Wo', marks: [] },
            { kind: 'text', text: 'rd', marks: ['DIVINE_NAME'] },
            { kind: 'note', number: 1 },
          ],
        },
      ],
    },
  ]);
});

test('buildLayout splits the text of a verse where a mark begins or ends, and lists the outer of two nested marks first', () => {
  const verse = verseOf(1, 'abcdef', {
    marks: [
      { kind: 'WORDS_OF_JESUS', start: 0, length: 6 },
      { kind: 'ADDED_WORDS', start: 2, length: 2 },
    ],
  });
  expect(buildLayout([verse]).blocks).toMatchObject([
    {
      content: [
        {},
        { text: 'ab', marks: ['WORDS_OF_JESUS'] },
        { text: 'cd', marks: ['WORDS_OF_JESUS', 'ADDED_WORDS'] },
        { text: 'ef', marks: ['WORDS_OF_JESUS'] },
      ],
    },
  ]);
});

test('renderHtml renders a psalm title, poetry, prose and end notes, and escapes the text', () => {
  expect(renderHtml(buildLayout(psalm), { headingLevel: 2, idPrefix: 'p-' })).toBe(
    [
      '<h2 class="psalm-title">A song of the &lt;valley&gt;.</h2>',
      '<p class="stanza"><span class="line" style="--indent: 0"><sup class="verse-number">1</sup>The river <i class="added-words">is</i> my friend;</span>',
      '<span class="line" style="--indent: 1">I shall not thirst.</span></p>',
      '<p><sup class="verse-number">2</sup>He said, <span class="words-of-jesus">“Come &amp; drink.</span><sup class="note-marker"><a id="p-note-marker-1" href="#p-note-1" role="doc-noteref">1</a></sup><span class="words-of-jesus">”</span> They came. <sup class="verse-number">3</sup>All drank.</p>',
      '<section class="notes" role="doc-endnotes" aria-label="Notes">',
      '<ol>',
      '<li id="p-note-1">Or “eat &amp; drink”. <a href="#p-note-marker-1" role="doc-backlink" aria-label="Back to the text of note 1">↩</a></li>',
      '</ol>',
      '</section>',
    ].join('\n'),
  );
});

test('renderHtml nests the element for added words in the element for the words of Jesus', () => {
  const verse = verseOf(1, 'ab', {
    marks: [
      { kind: 'WORDS_OF_JESUS', start: 0, length: 2 },
      { kind: 'ADDED_WORDS', start: 1, length: 1 },
    ],
  });
  expect(renderHtml(buildLayout([verse]))).toContain(
    '<span class="words-of-jesus">a</span><span class="words-of-jesus"><i class="added-words">b</i></span>',
  );
});

test('renderMarkdown renders headings, hard line breaks, emphasis and footnotes', () => {
  expect(renderMarkdown(buildLayout(psalm))).toBe(
    [
      '### A song of the \\<valley\\>.',
      '',
      '**1** The river *is* my friend;\\',
      '\u2003I shall not thirst.',
      '',
      '**2** He said, “Come \\& drink.[^1]” They came. **3** All drank.',
      '',
      '[^1]: Or “eat \\& drink”.',
      '',
    ].join('\n'),
  );
});

test('renderMarkdown moves spaces around emphasized words out of the emphasis', () => {
  const verse = verseOf(1, 'a b c', { marks: [{ kind: 'ADDED_WORDS', start: 1, length: 3 }] });
  expect(renderMarkdown(buildLayout([verse]))).toBe('**1** a *b* c\n');
});

test.each([
  ['# no heading', '\\# no heading'],
  ['- no list', '\\- no list'],
  ['12. no list', '12\\. no list'],
  ['*no* _emphasis_ `code`', '\\*no\\* \\_emphasis\\_ \\`code\\`'],
])('renderMarkdown escapes the line %s as %s', (text, escaped) => {
  const verse = verseOf(1, `A ${text}`, { breaks: [lineAt(0), lineAt(2)] });
  expect(renderMarkdown(buildLayout([verse]))).toBe(`**1** A\\\n${escaped}\n`);
});

test('renderText shows line breaks, indents, note markers and notes', () => {
  expect(renderText(buildLayout(psalm))).toBe(
    'A song of the <valley>.\n\n1 The river is my friend;\n  I shall not thirst.\n\n2 He said, “Come & drink.[1]” They came. 3 All drank.\n\n[1] Or “eat & drink”.\n',
  );
});

/** The text of a layout's verses, without numbers, notes, headings and spaces. */
const textOf = ({ blocks }: Layout): string =>
  blocks
    .flatMap((block) =>
      block.kind === 'stanza'
        ? block.lines.flatMap(({ content }) => content)
        : block.kind === 'paragraph'
          ? block.content
          : [],
    )
    .map((inline) => (inline.kind === 'text' ? inline.text : ''))
    .join('')
    .replaceAll(' ', '');

test('buildLayout keeps every word and every note in order for random breaks, marks, notes and headings', () => {
  let state = 1;
  const random = (bound: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % bound;
  };
  for (let run = 0; run < 300; run += 1) {
    const verses = Array.from({ length: 1 + random(4) }, (_, index) => {
      const text = Array.from({ length: random(8) }, () => 'abc\u{1F600}é'.slice(0, 1 + random(3))).join(' ');
      const times = <Item>(create: () => Item): Item[] => Array.from({ length: random(4) }, create);
      const offset = (): number => random(text.length + 3) - 1;
      return verseOf(index + 1, text, {
        breaks: times(() => ({
          kind: (['PARAGRAPH', 'LINE', 'STANZA'] as const)[random(3)] ?? 'LINE',
          start: offset(),
          indent: random(3),
        })),
        marks: times(() => ({
          kind: (['WORDS_OF_JESUS', 'ADDED_WORDS'] as const)[random(2)] ?? 'ADDED_WORDS',
          start: offset(),
          length: random(9),
        })),
        notes: times(() => ({ kind: 'TRANSLATION', start: offset(), text: 'note' })),
        headings: times(() => ({ kind: 'SECTION', start: offset(), text: 'heading' })),
      });
    });
    const layout = buildLayout(verses);
    expect(textOf(layout)).toBe(
      verses
        .map(({ text }) => text)
        .join('')
        .replaceAll(' ', ''),
    );
    expect(layout.notes).toHaveLength(verses.reduce((sum, { notes }) => sum + notes.length, 0));
    expect(renderHtml(layout).match(/role="doc-noteref"/g) ?? []).toHaveLength(layout.notes.length);
  }
});
