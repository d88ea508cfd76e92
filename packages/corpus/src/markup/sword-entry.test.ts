import { readSwordEntry } from './sword-entry';

const read = (entry: string) => readSwordEntry(entry, 'OSIS', { tags: true, raiseDivineName: false });
const text = (entry: string): string => read(entry).text;

test('readSwordEntry leaves out notes, titles and speakers with their content', () => {
  expect(
    text(
      '<title type="psalm">A Psalm by David.</title> <lg sID="a"/><l sID="b"/>Yahweh<note>Heb. <hi>x</hi></note> is my shepherd.<l eID="b"/>',
    ),
  ).toBe('Yahweh is my shepherd.');
  expect(text('<speaker>Beloved</speaker><l sID="a"/>Let him kiss me')).toBe('Let him kiss me');
});

test('readSwordEntry replaces a note by a space between two words, but not before punctuation', () => {
  expect(text('<w lemma="strong:H0430">God</w><note>or</note><w lemma="strong:H1254">created</w>')).toBe('God created');
  expect(text('the Lord,<note>or</note><w>is</w> my <note>or</note>strength <note>or</note>, he said')).toBe(
    'the Lord, is my strength, he said',
  );
  expect(text('“<note>or</note>Go,” (<note>or</note>he said<note>or</note>)')).toBe('“Go,” (he said)');
  expect(text('the Lord<note>or</note>’s day')).toBe('the Lord’s day');
});

test('readSwordEntry closes a note at its end tag even if elements inside the note are open', () => {
  expect(
    text(
      'I am the <divineName>LORD</divineName>:<note>the <divineName>LORD\\+nd*: or, <seg>JEHOVAH</seg></note> and so',
    ),
  ).toBe('I am the LORD: and so');
  expect(text('by my name \\nd <w>JEHOVAH</w></divineName> was I not known')).toBe(
    'by my name JEHOVAH was I not known',
  );
});

test('readSwordEntry inserts one space between lines of poetry', () => {
  expect(
    text('<l sID="a"/>one,<l eID="a"/><l sID="b"/>two<l eID="b"/> <l sID="c" type="selah"/>Selah.<l eID="c"/>'),
  ).toBe('one, two Selah.');
});

test('readSwordEntry inserts spaces between words that the translators added and the tagged words beside them', () => {
  expect(text('<w>hay allí</w><transChange type="added">también</transChange><w>bdelio</w>')).toBe(
    'hay allí también bdelio',
  );
  expect(text('<w>éstas</w><transChange><w>son</w></transChange><w>las</w>')).toBe('éstas son las');
});

test('readSwordEntry joins an added word to the word before it if that word has no tag, or if the callback joins returns true', () => {
  expect(text('y repartiéron<transChange>lo</transChange> <w>prestamente</w>')).toBe('y repartiéronlo prestamente');
  const joins = (before: string, addition: string): boolean => before === 'Júrame' && addition === 'lo';
  const options = { tags: true, raiseDivineName: false, joins };
  const { text: joined, words } = readSwordEntry(
    '<w lemma="strong:H7650">Júrame</w><transChange>lo</transChange> <w>en este día</w>',
    'OSIS',
    options,
  );
  expect({ text: joined, words }).toEqual({
    text: 'Júramelo en este día',
    words: [{ start: 0, length: 6, strongs: ['H7650'] }],
  });
  expect(readSwordEntry('<w>Josué</w><transChange>los</transChange> circuncidó', 'OSIS', options).text).toBe(
    'Josué los circuncidó',
  );
});

test('readSwordEntry inserts a space between a quotation and the next word, and quotation marks at quotation milestones', () => {
  expect(text('<q marker="" who="Jesus">“It is fitting.”</q><w>Then</w> he allowed him.')).toBe(
    '“It is fitting.” Then he allowed him.',
  );
  expect(text('“He said, <q marker="">‘Walk’</q> ?”')).toBe('“He said, ‘Walk’?”');
  expect(text('<q sID="a" marker="“"/>Go<q eID="a" marker="”"/> now')).toBe('“Go” now');
});

test('readSwordEntry returns the positions of the tagged words, and their Strong’s numbers without leading zeros', () => {
  const { text: read1, words } = read(
    '  <w lemma="strong:G3779">For</w>  ¶ <w lemma="strong:G0025 G0026">loved</w>,<note>x</note><w lemma="lemma.TR:abc">him</w>.',
  );
  expect(read1).toBe('For loved, him.');
  expect(words).toEqual([
    { start: 0, length: 3, strongs: ['G3779'] },
    { start: 4, length: 5, strongs: ['G25', 'G26'] },
  ]);
});

test('readSwordEntry counts the positions of tagged words in UTF-16 units of the NFC text', () => {
  const { text: read1, words } = read(
    'E\u0301l 𐤀 <w lemma="strong:H1">cafe\u0301</w> <w lemma="strong:H2">e</w>\u0301x',
  );
  expect(read1).toBe('Él 𐤀 café éx');
  expect(words.map(({ start, length }) => read1.slice(start, start + length))).toEqual(['café', 'é']);
});

test('readSwordEntry decodes each entity once, keeps unknown entities as written, and drops the null character', () => {
  expect(text('a &amp;lt; b &#233;&#xE9; &foo; &#0;')).toBe('a &lt; b éé &foo;');
});

test('readSwordEntry leaves out the text after the last verse of a book, such as a glossary', () => {
  expect(
    text('Amen. <div canonical="true" eID="gen1" osisID="Rev" type="book"/> <div sID="gen2" type="glossary"/>Abba'),
  ).toBe('Amen.');
  expect(text('Amen. <div sID="gen2" type="glossary"/>Abba')).toBe('Amen.');
});

test('readSwordEntry returns no text for an entry that is empty or has only markup, spaces or notes', () => {
  expect(
    ['', '<chapter eID="Num.12"/><div eID="x" type="x-p"/>', ' \u00a0\n', '<note>TR adds words</note>'].map(text),
  ).toEqual(['', '', '', '']);
});

const layoutOf = (entry: string) => read(entry).layout;

test('readSwordEntry records lines, a stanza and a title at the offset of the next word', () => {
  expect(
    layoutOf(
      '<title type="psalm">A song <note>or, a psalm</note>of ascents.</title> <lg sID="a"/><l level="1" sID="b"/>I lift up my eyes;<l eID="b"/> <l level="2" sID="c"/>help comes.<l eID="c"/>',
    ),
  ).toEqual({
    breaks: [
      { kind: 'STANZA', indent: 0, start: 0 },
      { kind: 'LINE', indent: 0, start: 0 },
      { kind: 'LINE', indent: 1, start: 19 },
    ],
    marks: [],
    notes: [{ kind: 'TRANSLATION', start: 0, text: 'or, a psalm' }],
    headings: [{ kind: 'PSALM_TITLE', start: 0, text: 'A song of ascents.' }],
  });
});

test('readSwordEntry marks words of Jesus, added words and the divine name, the outer mark first', () => {
  const { text: verse, layout } = read(
    '<q marker="" who="Jesus">“The <divineName>Lord</divineName> <transChange type="added">is</transChange> one.” </q>',
  );
  expect(layout.marks.map(({ kind, start, length }) => [kind, verse.slice(start, start + length)])).toEqual([
    ['WORDS_OF_JESUS', '“The Lord is one.”'],
    ['DIVINE_NAME', 'Lord'],
    ['ADDED_WORDS', 'is'],
  ]);
});

test('readSwordEntry marks the words of Jesus between a start milestone and an end milestone', () => {
  const { text: verse, layout } = read('He said, <q sID="q1" who="Jesus"/>Come<q eID="q1"/> to them.');
  expect(layout.marks.map(({ start, length }) => verse.slice(start, start + length))).toEqual(['Come']);
});

test('readSwordEntry records the offset of a note, and removes the verse number that the note repeats', () => {
  const { text: verse, layout } = read(
    'still waters<note type="crossReference"><reference type="annotateRef">23:2 </reference><reference>Isaiah 8:6</reference></note> .',
  );
  expect([verse, layout.notes]).toEqual([
    'still waters.',
    [{ kind: 'CROSS_REFERENCE', start: 12, text: 'Isaiah 8:6' }],
  ]);
});

test('readSwordEntry adds the text of a nested note to the outer note', () => {
  expect(layoutOf('Amen.<note>one <note>two</note> three</note>').notes).toEqual([
    { kind: 'TRANSLATION', start: 5, text: 'one two three' },
  ]);
});

test('readSwordEntry returns breaks and headings after the last word as `pending`, for the next entry', () => {
  const first = read('Selah.<lb type="x-p"/><title>Next</title>');
  expect([first.layout.breaks, first.layout.headings]).toEqual([[], []]);
  const next = readSwordEntry('Word', 'OSIS', { tags: true, raiseDivineName: false }, first.pending);
  expect([next.layout.breaks, next.layout.headings]).toEqual([
    [{ kind: 'STANZA', indent: 0, start: 0 }],
    [{ kind: 'SECTION', start: 0, text: 'Next' }],
  ]);
});

test('readSwordEntry drops a mark without words, and ends an unclosed or overlapping mark at the end of its parent element', () => {
  expect(layoutOf('<q who="Jesus"><note>x</note></q>Go.').marks).toEqual([]);
  const { text: verse, layout } = read(
    'a <q who="Jesus">b <divineName>c</q> d</divineName> <transChange type="added">e',
  );
  expect(layout.marks.map(({ kind, start, length }) => [kind, verse.slice(start, start + length)])).toEqual([
    ['WORDS_OF_JESUS', 'b c'],
    ['DIVINE_NAME', 'c'],
    ['ADDED_WORDS', 'e'],
  ]);
});

test('readSwordEntry inserts a space where a paragraph starts between two words, and starts the paragraph at the second word', () => {
  const { text: verse, layout } = read('foot<div type="x-p" sID="p"/>note');
  expect([verse, layout.breaks]).toEqual(['foot note', [{ kind: 'PARAGRAPH', indent: 0, start: 5 }]]);
});

test('readSwordEntry keeps the words before a note that is cut off inside a tag', () => {
  const { text: verse, layout } = read('one <l sID="a"/>two <note>cut <q who="Je');
  expect([verse, layout.breaks]).toEqual(['one two', [{ kind: 'LINE', indent: 0, start: 4 }]]);
});

test('readSwordEntry counts the offsets of marks, notes and breaks in UTF-16 units of the NFC text', () => {
  const { text: verse, layout } = read(
    'E\u0301l \u{1D11E} <q who="Jesus">cafe\u0301</q><note>n</note> <l sID="a"/>e\u0301x',
  );
  const [mark] = layout.marks;
  expect(verse.slice(mark?.start, (mark?.start ?? 0) + (mark?.length ?? 0))).toBe('café');
  expect(layout.notes[0]?.start).toBe(verse.indexOf(' éx'));
  expect(layout.breaks[0]?.start).toBe(verse.indexOf('éx'));
});
