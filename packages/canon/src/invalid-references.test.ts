import { kjvShape } from '../fixtures/kjv-shape';
import { formatReference, parseReference, referenceFailureMessage } from './index';

const english = kjvShape('eng');
const spanish = kjvShape('spa');

/** Returns the normalized reference, or the error message. */
const read = (text: string, shape = english): string => {
  const reference = parseReference(text, shape.language);
  return reference.kind === 'reference' ? formatReference(reference.spans, shape) : referenceFailureMessage(reference);
};

// Each item is a text and the part of it that the error message names.
const unintelligible: [string, string][] = [
  ['Nonexistent 1:1', 'Nonexistent 1:1'],
  ['', ''],
  ['  \t\n', ''],
  ['John 3:16 foo', 'foo'],
  ['John 3:16; Nonexistent 1:1', 'Nonexistent 1:1'],
  ['Nonexistent 1:1; John 3:16', 'Nonexistent 1:1'],
  ['John 3:16, Foo 2, Mark 3', 'Foo 2'],
  ['Foo 1; Bar 2', 'Foo 1'],
  ['John 3:16-Foo 3', 'Foo 3'],
  ['John IIII:16', 'IIII:16'],
  ['John 3:16 XYZ', 'XYZ'],
  ['Foo iii. 16', 'Foo iii. 16'],
  ['Johnny 3:16', 'Johnny 3:16'],
  ['3:16', '3:16'],
  ['16', '16'],
  ['chapter 3 verse 16', 'chapter 3 verse 16'],
  ['John 3:16xyz', 'xyz'],
  ['John 😀 3', '😀 3'],
  ['\ud800 John 3', '\ufffd John 3'],
  ['1 2 3', '1 2 3'],
  ['the', 'the'],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ["John 3:16' OR 1=1", 'OR 1=1'],
  ['\x1f0\x1f 3', '\x1f0\x1f 3'],
];
test.each(unintelligible)(
  'parseReference rejects %j with the error "book not found", which quotes the invalid part %j',
  (text, part) => {
    expect(read(text)).toBe(`Invalid reference: '${part}' (book not found)`);
    expect(read(text, spanish)).toBe(`Invalid reference: '${part}' (book not found)`);
  },
);

test.each([
  ['Wisdom of Solomon 3', 'Wisdom of Solomon'],
  ['Tobit 3', 'Tobit'],
  ['Tobías 3', 'Tobit'],
  ['1 Maccabees 3', '1 Maccabees'],
  ['II Macabeos 3', '2 Maccabees'],
  ['2 Esdras 3', '2 Esdras'],
  ['Sir 24:1', 'Sirach'],
  ['Letter of Jeremiah 1', 'Letter of Jeremiah'],
  ['Bel and the Dragon 1', 'Bel and the Dragon'],
])('parseReference rejects %j with the error "this translation does not have %s"', (text, name) => {
  const message = `Invalid reference: '${text}' (book not found: this translation does not have ${name})`;
  expect(read(text)).toBe(message);
  expect(read(text, spanish)).toBe(message);
});

// Each item is a text and the part of it that the error message names.
const invalidRanges: [string, string][] = [
  ['John 3:-1', 'John 3:-1'],
  ['John 3: −1', 'John 3: −1'],
  ['John 3.-1', 'John 3.-1'],
  ['Juan 3,-1', 'Juan 3,-1'],
  ['John 3:16-1', 'John 3:16-1'],
  ['John 3:16-0', 'John 3:16-0'],
  ['John 3:18-16', 'John 3:18-16'],
  ['Juan 3:16 al 1', 'Juan 3:16 al 1'],
  ['John 4:1-3:16', 'John 4:1-3:16'],
  ['John 3:16-18-17', 'John 3:16-18-17'],
  ['John 3:16,-18', 'John 3:16,-18'],
  ['Jude 5-3', 'Jude 5-3'],
  ['Mark 2:1; John 3:16-1; Luke 2', 'John 3:16-1'],
];
test.each(invalidRanges)(
  'parseReference rejects %j with the error "range not found", which quotes the invalid part %j',
  (text, part) => {
    expect(read(text)).toBe(`Invalid reference: '${part}' (range not found)`);
    expect(read(text, spanish)).toBe(`Invalid reference: '${part}' (range not found)`);
  },
);
