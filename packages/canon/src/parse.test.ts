import { kjvShape } from '../fixtures/kjv-shape';
import {
  formatReference,
  parseReference,
  type ReferenceSpan,
  referenceFailureMessage,
  warmReferenceParser,
} from './index';

const english = kjvShape('eng');
const spanish = kjvShape('spa');

/** Returns the normalized reference, or the error message. Does not check that the verses exist. */
const read = (text: string, shape = english): string => {
  const reference = parseReference(text, shape.language);
  return reference.kind === 'reference' ? formatReference(reference.spans, shape) : referenceFailureMessage(reference);
};

// Each item is a text and its normalized reference.
const inEnglish: [string, string][] = [
  ['John 3:16', 'John 3:16'],
  ['John 3:16-18', 'John 3:16-18'],
  ['Matthew 25:31-33,46', 'Matthew 25:31-33,46'],
  ['Genesis 1', 'Genesis 1'],
  ['Gen 1-2', 'Genesis 1-2'],
  ['Romans 12:1,3-4 & 13:2-4', 'Romans 12:1,3-4,13:2-4'],
  ['Rom 7:25-8:1', 'Romans 7:25-8:1'],
  ['Rom 8:1-4; 12:1-2', 'Romans 8:1-4,12:1-2'],
  ['Gen 1:1-Ex 2:3', 'Genesis 1:1-Exodus 2:3'],
  ['Jn 3.16', 'John 3:16'],
  ['John3:16', 'John 3:16'],
  ['1 Jn', '1 John'],
  ['I John', '1 John'],
  ['First John', '1 John'],
  ['1ra Juan', '1 John'],
  ['Ps 23', 'Psalms 23'],
  ['Ps 23 vv. 1-3', 'Psalms 23:1-3'],
  ['Ps 23, vv. 1-3', 'Psalms 23:1-3'],
  ['Genesis', 'Genesis'],
  ['mark', 'Mark'],
  ['jOhN 3:16', 'John 3:16'],
  ['  john   3 : 16  ', 'John 3:16'],
  ['John 3:16–18', 'John 3:16-18'],
  ['John 3:16—18', 'John 3:16-18'],
  ['John 3:16−18', 'John 3:16-18'],
  ['John 3:16‐18', 'John 3:16-18'],
  ['John 3：16', 'John 3:16'],
  ['Ｊohn ３:１６', 'John 3:16'],
  ['John ٣:١٦', 'John 3:16'],
  ['John 3∶16', 'John 3:16'],
  ['John 3:16', 'John 3:16'],
  ['\u200fJohn\u200e 3\u200b:16', 'John 3:16'],
  ['John\0 3:16', 'John 3:16'],
  ['John\n3:16', 'John 3:16'],
  ['JHN 3:16', 'John 3:16'],
  ['GEN.1.1', 'Genesis 1:1'],
  ['JOL 1', 'Joel 1'],
  ['NAM 1:2', 'Nahum 1:2'],
  ['nam 1:2', 'Nahum 1:2'],
  ['1SA 3', '1 Samuel 3'],
  ['John 3:16-3:18', 'John 3:16-18'],
  ['John 3:16 - John 3:18', 'John 3:16-18'],
  ['John 3:36-4:2', 'John 3:36-4:2'],
  ['Ex 3 - 4:5', 'Exodus 3:1-4:5'],
  ['John 3:16,18-20,22', 'John 3:16,18-20,22'],
  ['John 3:16 and 18', 'John 3:16,18'],
  ['Matt 4:8/9', 'Matthew 4:8,9'],
  ['Mark 7,8 and 9', 'Mark 7,8,9'],
  ['Phil 1 & 2.', 'Philippians 1,2'],
  ['Matt. 5 thru 7...', 'Matthew 5-7'],
  ['Isaiah 1 to 7', 'Isaiah 1-7'],
  ['Matthew chapter 5 verses 3 to 12', 'Matthew 5:3-12'],
  ['John chapter 3, verse 16', 'John 3:16'],
  ['chapter 3 of John', 'John 3'],
  ['John 3, v. 16', 'John 3:16'],
  ['Psalm 116: Verse 10', 'Psalms 116:10'],
  ['John 4 – v22', 'John 4:22'],
  ['John 3 16', 'John 3:16'],
  ['John, 3:16', 'John 3:16'],
  ['John (3:16)', 'John 3:16'],
  ['(John 3:16)', 'John 3:16'],
  ['[John 3:16]', 'John 3:16'],
  ['"John 3:16"', 'John 3:16'],
  ['John 3:16.', 'John 3:16'],
  ['see John 3:16', 'John 3:16'],
  ['cf. John 3:16', 'John 3:16'],
  ['John 3:16; see also Mark 2:1', 'John 3:16; Mark 2:1'],
  ['John 3:16a', 'John 3:16'],
  ['Luke 24:5b-6a', 'Luke 24:5-6'],
  ['Gen 22:1-2, 9a, 10-13', 'Genesis 22:1-2,9,10-13'],
  ['John 3:16f', 'John 3:16-17'],
  ['John 3:16f.', 'John 3:16-17'],
  ['John 3:16ff', 'John 3:16ff'],
  ['John 3ff', 'John 3ff'],
  ['John 3f', 'John 3-4'],
  ['John 3:1f', 'John 3:1-2'],
  ['Jude 5f', 'Jude 1:5-6'],
  ['Lk 15:11 ff', 'Luke 15:11ff'],
  ['Ps 3 title', 'Psalms 3:1'],
  ['psalm37::5', 'Psalms 37:5'],
  ['Isa 5:3:7', 'Isaiah 5:3,7'],
  ["Proverbs 1'20-24", 'Proverbs 1:20-24'],
  ['Jer 33-11', 'Jeremiah 33:11'],
  ['Ps 123-24', 'Psalms 123-124'],
  ['Gen 28-9', 'Genesis 28-29'],
  ['John - 3:16', 'John 3:16'],
  ['John 3:16-', 'John 3:16'],
  ['John 3:16--18', 'John 3:16-18'],
  ['Rev-Gen', 'Revelation; Genesis'],
  ['Gen-Ex', 'Genesis-Exodus'],
  ['Gen-Ex 3', 'Genesis 1-Exodus 3'],
  ['Gen 3-Ex', 'Genesis 3-Exodus'],
  ['2 Sam. 23-1 Kgs. 1', '2 Samuel 23-1 Kings 1'],
  ['1-2 Samuel', '1 Samuel-2 Samuel'],
  ['1 John 2-2 John 3', '1 John 2:1-2 John 1:3'],
  ['Col1:18, 1Th 4:16', 'Colossians 1:18; 1 Thessalonians 4:16'],
  ['Gen 1:1–2:3; Ex 20:1–17', 'Genesis 1:1-2:3; Exodus 20:1-17'],
  ['John 3:16; 4', 'John 3:16,4'],
  ['John 3:16; John 4', 'John 3:16; John 4'],
  ['John 3; 4:5', 'John 3,4:5'],
  ['John 3;16', 'John 3,16'],
  ['John.2.1-John.2.25', 'John 2:1-25'],
  ['1John3v21,22; 1John5v14', '1 John 3:21,22,5:14'],
  ['(2Ch 26:15).', '2 Chronicles 26:15'],
  ['1 Corinthians 13:4–8a', '1 Corinthians 13:4-8'],
  ['Song of Songs 2:1', 'Song of Solomon 2:1'],
  ['Canticles 2', 'Song of Solomon 2'],
  ['the book of Genesis 1', 'Genesis 1'],
  ['Gospel of John 3', 'John 3'],
  ['First Epistle of John 4', '1 John 4'],
  ['First Letter to the Corinthians 13', '1 Corinthians 13'],
  ['St. John 3:16', 'John 3:16'],
  ['III John 4', '3 John 1:4'],
  ['John 03:016', 'John 3:16'],
  ['Mark \t\u00a0\r\n 9', 'Mark 9'],
  ['Deut. 34:1-Joshua 2:24; Psalm 79', 'Deuteronomy 34:1-Joshua 2:24; Psalms 79'],
  ['Matt 5, 6:3, 7', 'Matthew 5,6:3,7'],
  // A comma between numbers separates two chapters after an English name, and chapter and verse
  // after a name that is not English.
  ['John 3,16', 'John 3,16'],
  ['Jn 3,16', 'John 3,16'],
  ['Daniel 3,16', 'Daniel 3,16'],
  ['Juan 3,16', 'John 3:16'],
  ['Jean 3,16', 'John 3:16'],
  // In books with one chapter, the number 1 alone is the chapter, and any other number is a verse.
  ['Jude', 'Jude'],
  ['Jude 1', 'Jude 1'],
  ['Jude 5', 'Jude 1:5'],
  ['Jude 3-5', 'Jude 1:3-5'],
  ['Jude 1-2', 'Jude 1:1-2'],
  ['Jude 1:9', 'Jude 1:9'],
  ['Jude, 5', 'Jude 1:5'],
  ['Obadiah 3', 'Obadiah 1:3'],
  ['Philemon 6', 'Philemon 1:6'],
  ['Phm v. 6', 'Philemon 1:6'],
  ['2 John 5', '2 John 1:5'],
  ['3 John', '3 John'],
  ['Jude 2:3', 'Jude 2:3'],
  // None of these places exists, but each reference can be parsed.
  ['John 99', 'John 99'],
  ['John 3:999', 'John 3:999'],
  ['John 200', 'John 200'],
  ['John 1000000:5', 'John 1000000:5'],
  ['John 5:1000-2000', 'John 5:1000-2000'],
  ['John 3:1-999999999', 'John 3:1-999999999'],
  ['John 3:250f; 300:5', 'John 3:250-251,300:5'],
  ['John 0', 'John 0'],
  ['John 3:0', 'John 3:0'],
  ['John 0:5', 'John 0:5'],
  ['Psalm 151', 'Psalms 151'],
  ['Daniel 13', 'Daniel 13'],
];
test.each(inEnglish)('parseReference normalizes %j to %j for an English translation', (text, normalized) =>
  expect(read(text)).toBe(normalized),
);

const inSpanish: [string, string][] = [
  ['John 3:16', 'Juan 3:16'],
  ['Juan 3:16', 'Juan 3:16'],
  ['JUAN 3:16', 'Juan 3:16'],
  ['Juan 3,16', 'Juan 3:16'],
  ['Juan 3, 16-18', 'Juan 3:16-18'],
  ['Juan 3,16,18', 'Juan 3:16,18'],
  ['Juan 3,16.18', 'Juan 3:16,18'],
  ['Juan 3,16; 4,1', 'Juan 3:16,4:1'],
  ['Mateo 25,31-33.46', 'Mateo 25:31-33,46'],
  ['Jn 3,16', 'Juan 3:16'],
  ['1 Jn 3,16', '1 Juan 3:16'],
  ['Daniel 3,16', 'Daniel 3:16'],
  ['John 3,16', 'Juan 3; 16'],
  ['Romans 8,12', 'Romanos 8; 12'],
  ['Juan 3:16,18', 'Juan 3:16,18'],
  ['Juan 3.16,18', 'Juan 3:16,18'],
  ['Juan 3; 4', 'Juan 3; 4'],
  ['1ra Juan 4:8', '1 Juan 4:8'],
  ['Primera de Juan 4', '1 Juan 4'],
  ['1 de Juan 4:8', '1 Juan 4:8'],
  ['1.ª de Juan 4:8', '1 Juan 4:8'],
  ['I Juan 3', '1 Juan 3'],
  ['II Corintios 5:17', '2 Corintios 5:17'],
  ['1ª Corintios 13', '1 Corintios 13'],
  ['Primera carta a los Corintios 13', '1 Corintios 13'],
  ['Segunda epístola de Pedro 1', '2 Pedro 1'],
  ['Tercera de Juan', '3 Juan'],
  ['1er Libro de Samuel 3', '1 Samuel 3'],
  ['2da Timoteo 3:16', '2 Timoteo 3:16'],
  ['capítulo 3 de Juan', 'Juan 3'],
  ['San Mateo 5', 'Mateo 5'],
  ['S. Juan 3:16', 'Juan 3:16'],
  ['Evangelio según San Juan 3:16', 'Juan 3:16'],
  ['Libro de los Salmos 23', 'Salmos 23'],
  ['Epístola a los Romanos 8', 'Romanos 8'],
  ['Hechos de los Apóstoles 2', 'Hechos 2'],
  ['Cantar de los Cantares 2', 'Cantares 2'],
  ['Cantares 2', 'Cantares 2'],
  ['Salmo 23', 'Salmos 23'],
  ['genesis 1:1', 'Génesis 1:1'],
  ['E\u0301xodo 20', 'Éxodo 20'],
  ['nahum 1', 'Nahúm 1'],
  ['Juan 3:16 y 18', 'Juan 3:16,18'],
  ['Juan 3:16 al 18', 'Juan 3:16-18'],
  ['Juan 3:16 y Marcos 2:1', 'Juan 3:16; Marcos 2:1'],
  ['Juan capítulo 3 versículo 16', 'Juan 3:16'],
  ['Juan cap. 3, vers. 16', 'Juan 3:16'],
  ['véase Juan 3:16', 'Juan 3:16'],
  ['Juan 3:16s', 'Juan 3:16-17'],
  ['Juan 3:16ss', 'Juan 3:16ff'],
  ['Juan 3s', 'Juan 3-4'],
  ['Judas', 'Judas'],
  ['Judas 5', 'Judas 1:5'],
  ['Judas 1', 'Judas 1'],
  ['Judas 3,5', 'Judas 1:3,5'],
  ['Abdías 3-4', 'Abdías 1:3-4'],
  ['Juan 3:999', 'Juan 3:999'],
  ['Génesis 1:1-Éxodo 2:3', 'Génesis 1:1-Éxodo 2:3'],
  ['Apoc 3:20', 'Apocalipsis 3:20'],
];
test.each(inSpanish)('parseReference normalizes %j to %j for a Spanish translation', (text, normalized) =>
  expect(read(text, spanish)).toBe(normalized),
);

test.each([
  ['Jean 3.16', 'John 3:16'],
  ['Genèse 1:1-3', 'Genesis 1:1-3'],
  ['Psaume 23', 'Psalms 23'],
  ['1 Corinthiens 13,4-7', '1 Corinthians 13:4-7'],
  ['Johannes 3,16', 'John 3:16'],
  ['1. Mose 1,1', 'Genesis 1:1'],
  ['1. Korinther 13,4.7', '1 Corinthians 13:4,7'],
  ['Offenbarung 3,20', 'Revelation 3:20'],
  ['João 3.16', 'John 3:16'],
  ['Mateus 5:3-12', 'Matthew 5:3-12'],
  ['Êxodo 20', 'Exodus 20'],
  ['Apocalipse 3:20', 'Revelation 3:20'],
  ['Иоанна 3:16', 'John 3:16'],
  ['요한복음 3:16', 'John 3:16'],
  ['约翰福音 3：16', 'John 3:16'],
  ['يوحنا 3:16', 'John 3:16'],
  ['ヨハネ 3:16', 'John 3:16'],
  ['ยอห์น 3:16', 'John 3:16'],
])('parseReference normalizes %j, which is in another language than English and Spanish, to %j', (text, normalized) =>
  expect(read(text)).toBe(normalized),
);

const german = kjvShape('deu');

test.each([
  ['Hosea 3,4', 'Hosea 3:4'],
  ['Psalm 23,4', 'Psalms 23:4'],
  ['Mt 6,4-9', 'Matthew 6:4-9'],
  ['Mt 6,4.9', 'Matthew 6:4,9'],
  ['Mt 6,4;7,1', 'Matthew 6:4,7:1'],
  ['Johannes 3,16', 'John 3:16'],
  ['John 3,16', 'John 3:16'],
  ['Genesis 1; 3', 'Genesis 1; 3'],
])('parseReference normalizes %j to %j for a German translation', (text, normalized) =>
  expect(read(text, german)).toBe(normalized),
);

test.each([
  ['Mateo 6,4-9', 'Matthew 6:4-9', 'an English', english],
  ['Mateo 6,4-9', 'Mateo 6:4-9', 'a Spanish', spanish],
  ['Mt 6,4-9', 'Mateo 6:4-9', 'a Spanish', spanish],
  ['Matthäus 6,4-9', 'Matthew 6:4-9', 'an English', english],
])(
  'parseReference normalizes %j, a chapter, a comma and a range of verses, to %j for %s translation',
  (text, normalized, _, shape) => expect(read(text, shape)).toBe(normalized),
);

test('parseReference accepts a text of 200 characters and rejects a text of 201 characters', () => {
  expect(read(`John 3:16${' '.repeat(191)}`)).toBe('John 3:16');
  expect(read(`John 3:16${' '.repeat(192)}`)).toBe('reference must be 200 characters or fewer');
  expect(read(';'.repeat(200))).toBe(`Invalid reference: '${';'.repeat(200)}' (book not found)`);
});

const spans = (text: string): readonly ReferenceSpan[] => {
  const reference = parseReference(text);
  return reference.kind === 'reference' ? reference.spans : [];
};
const at = (chapter: number | null, verse: number | null) => ({ book: 'JHN', chapter, verse });

test('parseReference returns null for the chapter and the verse of "John", for the verses of "John 3-4" and for the end verse of "John 3:16ff"', () => {
  expect(spans('John')).toEqual([{ start: at(null, null), end: at(null, null) }]);
  expect(spans('John 3-4')).toEqual([{ start: at(3, null), end: at(4, null) }]);
  expect(spans('John 3:16ff')).toEqual([{ start: at(3, 16), end: at(3, null) }]);
  expect(spans('John 3:16')).toEqual([{ start: at(3, 16), end: at(3, 16) }]);
});

test('warmReferenceParser does not change the results of later calls of parseReference', () => {
  warmReferenceParser();
  expect([read('Juan 3,16'), read('Jn 3,16'), read('Genesis')]).toEqual(['John 3:16', 'John 3,16', 'Genesis']);
});
