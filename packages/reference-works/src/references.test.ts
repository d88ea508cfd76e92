import { createVersesAndParser } from './references';

const { parser } = createVersesAndParser();
const one = (ordinal: number) => ({ first: ordinal, last: ordinal });

test.each([
  ['Exod.6.16-Exod.6.20', [{ first: 2006016, last: 2006020 }]],
  ['Num.17', [{ first: 4017001, last: 4017013 }]],
  ['1John.5.20', [one(62005020)]],
  ['Gen.50.26-Exod.1.1', [{ first: 1050026, last: 2001001 }]],
  ['jer 46:27 jer 46:28', [one(24046027), one(24046028)]],
  [
    'ge 3:16-19 ge 3:22-24',
    [
      { first: 1003016, last: 1003019 },
      { first: 1003022, last: 1003024 },
    ],
  ],
  ['ge 29:1-ge 31:55', [{ first: 1029001, last: 1031055 }]],
  ['Scofield:2Sa 7:16', [one(10007016)]],
  ['ex 1', [{ first: 2001001, last: 2001022 }]],
  ['Rev 4:1 11:1', [one(66004001), one(66011001)]],
  ['Scofield:jud 3:7', [one(7003007)]],
  ['jude 1:4', [one(65001004)]],
])('the parser of osisRef attributes (references to verses) finds every verse range in %s', (text, spans) => {
  expect(parser.parse(text)).toEqual(spans);
});

test.each([
  'Mt 19.51',
  'Wis.2.1',
  'Gen.51',
  'Gen.0.1',
  'Ps.16.8-Ps.11.2',
  'ac 19:23-ac 20:1-3',
  'Foo.1.1',
  '4:24',
  '',
  'Gen',
  'Gen.1.1.1',
  'Gen.999999999999.1',
  '創世記.1.1',
])('the parser of osisRef attributes returns null for %j, which is not a reference to existing verses', (text) => {
  expect(parser.parse(text)).toBeNull();
});

test.each([
  // The printed text is "Psalm 16:8-11. 2".
  ['Ps.16.8-Ps.11.2', [{ first: 19016008, last: 19016011 }]],
  ['Exod.13.2-Exod.10.13', [{ first: 2013002, last: 2013010 }]],
  // The printed works name Philippians in place of Philemon, and 2 Corinthians in place of
  // Colossians.
  ['phm 4:4 phm 4:10', [one(50004004), one(50004010)]],
  ['phm 1:18', [one(57001018)]],
  ['Col.12.18', [one(47012018)]],
  ['Col.4.1', [one(51004001)]],
])(
  'parseOfModule corrects known misprints of a printed commentary in the osisRef attribute (reference to verses) %s',
  (text, spans) => {
    expect(parser.parseOfModule(text)).toEqual(spans);
  },
);

test.each(['Luke.7.47-Luke.7.8', 'Ps.3.4-Ps.3.3', 'Ps.16.8-Ps.6.2', 'phm 5:1', 'Col.14.1', 'Mt 19.51'])(
  'parseOfModule returns null for the osisRef attribute %s of a commentary, which has an ambiguous misprint',
  (text) => {
    expect(parser.parseOfModule(text)).toBeNull();
  },
);
