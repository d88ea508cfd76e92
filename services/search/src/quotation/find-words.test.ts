import { findWords as findWordsInSteps, type WordMatch } from './find-words';

/** Compares a quotation with verses without a pause. */
function findWords(verses: readonly string[], quotation: string): WordMatch | null {
  const steps = findWordsInSteps(verses, quotation);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

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
    'soft hyphens, word joiners and zero width spaces do not matter',
    'the men l\u00adit a fi\u2060re and they\u200b ate',
    { similarity: 1, differences: [], first: 1, last: 1 },
  ],
  [
    'a quotation may go on in the next verse',
    'and nobody sang. Then the men lit a fire',
    { similarity: 1, first: 0, last: 1, before: 'The old boat went slowly over the cold lake' },
  ],
  [
    'a wrong word in the middle of the quotation is a difference',
    'the men lit a lamp and they ate bread',
    { differences: [{ bible: 'fire', quotation: 'lamp' }] },
  ],
  [
    'wrong words at the beginning and the end replace as many words of the verse',
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
    'each missing word and each added word is a difference',
    'the men quickly lit fire and they ate bread',
    {
      differences: [
        { bible: '', quotation: 'quickly' },
        { bible: 'a', quotation: '' },
      ],
    },
  ],
  [
    'added words are one difference at their place, even if a later verse has one of them',
    'The old boat went slowly over the cold green men lake',
    { differences: [{ bible: '', quotation: 'green men' }], last: 0, after: 'and nobody sang' },
  ],
  [
    'words that the quotation leaves out with dots are no difference',
    'The old boat ... and nobody sang. … After that, everybody slept.',
    { similarity: 1, differences: [], first: 0, last: 2 },
  ],
])('findWords compares a quotation with the verses by this rule: %s', (_, quotation, expected) => {
  expect(findWords(verses, quotation)).toMatchObject(expected);
});

test('findWords returns a similarity below 0.7 for a quotation whose words are scattered over the verses', () => {
  expect(findWords(verses, 'the cold bread and the cold fish')?.similarity).toBeLessThan(0.7);
});

test.each(['wholly unrelated sentence', '...', '?!', '', 'ἐν ἀρχῇ ἦν'])(
  'findWords returns null for the quotation %j, which shares no word with the verses',
  (quotation) => {
    expect(findWords(verses, quotation)).toBeNull();
  },
);
