import { findWords } from './compare-words';

// Invented sentences, because the repository has no Bible text.
const verses = [
  'The old boat went slowly over the cold lake, and nobody sang.',
  'Then the men lit a fire; and they ate bread and fish.',
  'After that, everybody slept.',
];

test.each<[string, string, object]>([
  [
    'the same words in another case and punctuation are equal',
    'THE MEN lit a fire and they ate',
    { similarity: 1, differences: [], first: 1, last: 1, before: 'Then', after: 'bread and fish' },
  ],
  [
    'words of several verses are equal',
    'and nobody sang. Then the men lit a fire',
    { similarity: 1, first: 0, last: 1, before: 'The old boat went slowly over the cold lake' },
  ],
  [
    'another word in the middle is a difference',
    'the men lit a lamp and they ate bread',
    { differences: [{ bible: 'fire', quotation: 'lamp' }] },
  ],
  [
    'other words at the beginning and the end stand for as many words of the verse',
    'Now the men lit a fire and they ate bread and cheese',
    {
      differences: [
        { bible: 'Then', quotation: 'Now' },
        { bible: 'fish', quotation: 'cheese' },
      ],
      before: '',
      after: '',
    },
  ],
  [
    'words that are missing or added are differences',
    'the men quickly lit fire and they ate bread',
    {
      differences: [
        { bible: '', quotation: 'quickly' },
        { bible: 'a', quotation: '' },
      ],
    },
  ],
  [
    'words that are added are a difference at their place, even if a later verse has one of them',
    'The old boat went slowly over the cold green men lake',
    { differences: [{ bible: '', quotation: 'green men' }], last: 0, after: 'and nobody sang' },
  ],
  [
    'words that dots mark as left out are no difference',
    'The old boat ... and nobody sang. … After that, everybody slept.',
    { similarity: 1, differences: [], first: 0, last: 2 },
  ],
])('findWords follows this rule: %s', (_, quotation, expected) => {
  expect(findWords(verses, quotation)).toMatchObject(expected);
});

test('findWords ignores equal words that are far from each other', () => {
  expect(findWords(verses, 'the cold bread and the cold fish')?.similarity ?? 0).toBeLessThan(0.7);
});

test.each(['wholly unrelated sentence', '...', '?!', '', 'ἐν ἀρχῇ ἦν'])(
  'findWords finds no verse for %j',
  (quotation) => {
    expect(findWords(verses, quotation)).toBeNull();
  },
);
