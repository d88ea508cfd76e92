import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kjvShape } from '../fixtures/kjv-shape';
import {
  type BookCode,
  formatReference,
  numberingShape,
  readReference,
  referenceFailureMessage,
  type TranslationShape,
} from './index';

const shapes = new Map<string, TranslationShape>();
const shapeOf = (language: string): TranslationShape => {
  const shape = shapes.get(language) ?? { ...kjvShape(language), bookName: kjvShape('eng').bookName };
  shapes.set(language, shape);
  return shape;
};

/** Returns the normalized reference with English names, or the error message. */
const read = (text: string, language: string, shape = shapeOf(language)): string => {
  const reference = readReference(text, shape);
  if (reference.kind !== 'reference') return referenceFailureMessage(reference);
  return formatReference(reference.spans, { language: 'eng', bookName: kjvShape('eng').bookName });
};

test.each([
  ['Rom 8,28 y ss.', 'spa', 'Romans 8:28ff'],
  ['Jc 1.5', 'fra', 'James 1:5'],
  ['Jc 1,5', 'spa', 'Judges 1:5'],
  ['Salmo 23 (22)', 'spa', 'Psalms 23'],
  ['Ps 22 (23)', 'eng', 'Psalms 22'],
  ['Ps 22 (25)', 'eng', 'Psalms 22,25'],
  ['Psalm l03:12', 'eng', 'Psalms 103:12'],
  ['John 3;16', 'eng', 'John 3,16'],
  ['Luke 2 and Job', 'eng', 'Luke 2; Job'],
  ['Rm 8, 28 et 31-39', 'fra', 'Romans 8:28,31-39'],
  ['I ad Corinth. I, 17', 'lat', '1 Corinthians 1:17'],
  ['Psaume 66 [67]', 'fra', 'Psalms 66'],
  ['Micah 6:8 | Amos 5:24', 'eng', 'Micah 6:8; Amos 5:24'],
  ['Es 40,1-8', 'dan', 'Isaiah 40:1-8'],
  ['Joh.1,1-5 og 1,9-14', 'nob', 'John 1:1-5,9-14'],
  ['First Reading John 3:16', 'eng', 'John 3:16'],
  ['Sal 97, 2-3ab. 3bc-4', 'spa', 'Psalms 97:2-3,3-4'],
  ['Rom 11, 33-36', 'eng', 'Romans 11:33-36'],
  ['Gn 3, 9-15. 20', 'eng', 'Genesis 3:9-15,20'],
  ['Gn 9,18-11,9', 'fra', 'Genesis 9:18-11:9'],
  ['Genesis 1,1 – 4,16', 'ces', 'Genesis 1:1-4:16'],
  ['Sal 27,1-4,13', 'spa', 'Psalms 27:1-4,13'],
])(
  'readReference never reads another book: it reads %j in a translation of the language %s as %s',
  (text, language, expected) => expect(read(text, language)).toBe(expected),
);

test.each([
  ['Jud 1:19, 3:1', '3:1'],
  ['Isa 7:14 MT', 'MT'],
  ['John 3:16 Mk', 'Mk'],
  ['John Mark 3', 'John Mark 3'],
  ['Matthew Henry 3', 'Henry 3'],
  ['Ps 118/119:44', 'Ps 118'],
])('readReference rejects %j as a whole and names the part %j, which it does not understand', (text, part) =>
  expect(read(text, 'eng')).toBe(`Invalid reference: '${part}' (book not found)`),
);

/** The shape of a translation in which some books have own names. */
const withNames = (language: string, names: Partial<Record<BookCode, string>>): TranslationShape => {
  const common = kjvShape('eng');
  return { ...common, language, bookName: (code) => names[code] ?? common.bookName(code) };
};
const synodal = withNames('rus', { '1SA': '1-я Царств', '1KI': '3-я Царств', SNG: 'Песнь Песней' });
const douay = withNames('eng', { '1SA': '1 Kings', '1KI': '3 Kings', '2KI': '4 Kings' });
const novaVulgata = withNames('lat', { '1SA': 'I Samuelis', '1KI': 'I Regum' });
const cherokee = withNames('chr', { TIT: 'ᏔᏓᏏ' });

test.each([
  ['1-я Царств 17:4', synodal, '1 Samuel 17:4'],
  ['1 Цар 17:4', synodal, '1 Samuel 17:4'],
  ['I Царств 17:4', synodal, '1 Samuel 17:4'],
  ['3 Цар 17:4', synodal, '1 Kings 17:4'],
  ['Песнь Песней 1:1', synodal, 'Song of Solomon 1:1'],
  ['1 Kings 17:4', douay, '1 Samuel 17:4'],
  ['4 Kings 2', douay, '2 Kings 2'],
  ['1 Reg 17:4', novaVulgata, '1 Kings 17:4'],
  ['I Regum 17:4', novaVulgata, '1 Kings 17:4'],
  ['ᏔᏓᏏ 1:1', cherokee, 'Titus 1:1'],
  ['ᏔᏓ 1', cherokee, 'Titus 1'],
  ['腓利比書 1:1', withNames('zho', { PHP: '腓利比書' }), 'Philippians 1:1'],
])('readReference reads the own names of a translation and their beginnings first: %j', (text, shape, expected) =>
  expect(read(text, shape.language, shape)).toBe(expected),
);

test.each([
  ['1 Цар 17:4', 'eng', '1 Samuel 17:4'],
  ['1 Цар 17:4', 'ukr', '1 Kings 17:4'],
  ['1 Reg 17:4', 'lat', '1 Samuel 17:4'],
  ['3 Reg 17:4', 'eng', '1 Kings 17:4'],
  ['IV Reg 2', 'lat', '2 Kings 2'],
  ['4 Kings 2', 'eng', '2 Kings 2'],
  ['So 1,1', 'spa', 'Zephaniah 1:1'],
  ['So 1,1', 'fra', 'Zephaniah 1:1'],
  ['Ri 5', 'deu', 'Judges 5'],
  ['Jds 3', 'spa', 'Judges 3'],
  ['Stgo 1,5', 'spa', 'James 1:5'],
  ['Stg 1,5', 'eng', 'James 1:5'],
  ['J 3,16', 'pol', 'John 3:16'],
  ['Iv 3,16', 'hrv', 'John 3:16'],
  ['Io 3,16', 'lat', 'John 3:16'],
  ['Jó 3,16', 'por', 'Job 3:16'],
  ['Jo 3,16', 'por', 'John 3:16'],
  ['Послание к Римлянам 8:28', 'rus', 'Romans 8:28'],
  ['1-е послание к Коринфянам 13:4', 'rus', '1 Corinthians 13:4'],
  ['Tehillim 23', 'eng', 'Psalms 23'],
  ['Brief des Apostels Paulus an Titus 2,11', 'deu', 'Titus 2:11'],
  ['Lettre aux Romains 8, 28', 'fra', 'Romans 8:28'],
  ['Evangelium nach Lukas 2,(1-14)15-20', 'deu', 'Luke 2:1-14,15-20'],
  ['Lk 2,3(4-5)6', 'deu', 'Luke 2:3,4-5,6'],
  ['Génesis 1:1 a Éxodo 2:3', 'spa', 'Genesis 1:1-Exodus 2:3'],
])(
  'readReference reads names of the language before those of others: %j in a translation of the language %s',
  (text, language, expected) => expect(read(text, language)).toBe(expected),
);

test.each([
  ['约翰福音3章16节', 'zho', 'John 3:16'],
  ['約翰福音第三章第十六節', 'zho', 'John 3:16'],
  ['约三16', 'zho', 'John 3:16'],
  ['约一3:16', 'zho', '1 John 3:16'],
  ['诗一一九105', 'zho', 'Psalms 119:105'],
  ['太5:3-10；路6:20', 'zho', 'Matthew 5:3-10; Luke 6:20'],
  ['詩篇二十三篇', 'zho', 'Psalms 23'],
  ['啟廿一1', 'zho', 'Revelation 21:1'],
  ['《马太福音》第11章2～6节', 'zho', 'Matthew 11:2-6'],
  ['ヨハネによる福音書 3章16節', 'jpn', 'John 3:16'],
  ['コリントの信徒への手紙一 13章4節', 'jpn', '1 Corinthians 13:4'],
  ['第一コリント13章', 'jpn', '1 Corinthians 13'],
  ['詩篇23篇1節から3節', 'jpn', 'Psalms 23:1-3'],
  ['ローマ人への手紙7章15節、24節', 'jpn', 'Romans 7:15,24'],
  ['요한복음 3장 16절', 'kor', 'John 3:16'],
  ['요 3:16', 'kor', 'John 3:16'],
  ['눅 3:21~22, 마 27:45', 'kor', 'Luke 3:21-22; Matthew 27:45'],
  ['시편 23편 1절부터 3절까지', 'kor', 'Psalms 23:1-3'],
  ['בראשית א:א', 'heb', 'Genesis 1:1'],
  ['תהלים כ"ג', 'heb', 'Psalms 23'],
  ['תהלים קי״ט, ק״ה', 'heb', 'Psalms 119:105'],
  ['שמואל א ג:ד', 'heb', '1 Samuel 3:4'],
  ['מל״ב יז 34, 35', 'heb', '2 Kings 17:34,35'],
  ['ישע׳ מט 3', 'heb', 'Isaiah 49:3'],
  ['בראשית פרק ט״ו פסוק ו׳', 'heb', 'Genesis 15:6'],
])('readReference reads numbers and marks of chapters in other scripts: %j', (text, language, expected) =>
  expect(read(text, language)).toBe(expected),
);

test.each([
  ['Évangile de Jésus-Christ selon saint Matthieu 5,1-12a', 'fra', 'Matthew 5:1-12'],
  ['Évangile de Jésus Christ selon saint Matthieu (Mt 5, 1-12)', 'fra', 'Matthew 5:1-12'],
  ['św. Łuk. rozdz. 2, w. 1-14', 'pol', 'Luke 2:1-14'],
  ['list św. Pawła do Tytusa rozdz. 2, wiersz 11-15', 'pol', 'Titus 2:11-15'],
  ['Ps 96 (95), 7-8. 9-10 (R.: por. 11a)', 'pol', 'Psalms 96:7-8,9-10'],
  ['Sl 117,2-4.16ab-18.22-24 (R. 1)', 'por', 'Psalms 117:2-4,16-18,22-24'],
  ['Livro dos Salmos 97(96),1-2.5-6', 'por', 'Psalms 97:1-2,5-6'],
  ['Evangelho segundo São João 20,2-8', 'por', 'John 20:2-8'],
  ['Segundo Samuel 7,1', 'por', '2 Samuel 7:1'],
  ['Evangelho de Jesus Cristo segundo João 20,19-23', 'por', 'John 20:19-23'],
  ['Ewangelia według świętego Jana 3,16', 'pol', 'John 3:16'],
  ['2Tm 1,1-8 (oppure Tit 1,1-5)', 'ita', '2 Timothy 1:1-8; Titus 1:1-5'],
  ['II ad Timoth., II, 2', 'lat', '2 Timothy 2:2'],
  ['Ді 13, 13-24', 'ukr', 'Acts 13:13-24'],
  ['1K 13,4-7', 'ces', '1 Corinthians 13:4-7'],
  ['Iude v. 4', 'eng', 'Jude 1:4'],
  ['prima lettera di san Giovanni apostolo 1, 1-4', 'ita', '1 John 1:1-4'],
  ['Das heilige Evangelium nach Lukas 19: 41-44', 'deu', 'Luke 19:41-44'],
  ['Izajáš, kapitola 41', 'ces', 'Isaiah 41'],
  ['Hóseás próféta könyve 5', 'hun', 'Hosea 5'],
  ['Ев. от Луки, гл. 15, ст. 11-32', 'rus', 'Luke 15:11-32'],
  ['First Lesson: Genesis 12:1-4a', 'eng', 'Genesis 12:1-4'],
  ['Rom. 8. 28 to the end', 'eng', 'Romans 8:28ff'],
  ['Jak. 1:5 e.v.', 'nld', 'James 1:5ff'],
  ['Psalm 147 or 147:13-21', 'eng', 'Psalms 147; 147:13-21'],
  ['イザヤ書55・1〜11', 'jpn', 'Isaiah 55:1-11'],
  ['Mateus 5:21; comp. Lucas 4:12', 'por', 'Matthew 5:21; Luke 4:12'],
  ['Mt 5, 3 y sig.', 'spa', 'Matthew 5:3-4'],
  ['LECTURA DEL SANTO EVANGELIO SEGÚN SAN LUCAS 10, 25-37', 'spa', 'Luke 10:25-37'],
  ['SALMO 68, 14 y 17. 30-31. 36ab y 37', 'spa', 'Psalms 68:14,17,30-31,36,37'],
  ['Sl 119.1 (ARC)', 'por', 'Psalms 119:1'],
  ['Ваикра (Левит) 22:26 - 23:3', 'rus', 'Leviticus 22:26-23:3'],
  ['2Пар.36 гл. и 1Езд. 1 -й гл.', 'rus', '2 Chronicles 36; Ezra 1'],
  ['テモテへの手紙I 1:12~17', 'jpn', '1 Timothy 1:12-17'],
  ['ルカによる福音書15: 1~ 3,11b~32', 'jpn', 'Luke 15:1-3,11-32'],
  ['Второе послание к Коринфянам. Глава 4, ст. 6–15.', 'rus', '2 Corinthians 4:6-15'],
  ['Pierwszy List do Koryntian 13', 'pol', '1 Corinthians 13'],
  ['Eerste brief van Paulus aan de Korintiërs 13', 'nld', '1 Corinthians 13'],
  ['Philippians 4:6-7, English Standard Version (ESV)', 'eng', 'Philippians 4:6-7'],
  ['1 Peter 5:6,7 (New International Version)', 'eng', '1 Peter 5:6,7'],
  ['대상 10:1-대하 9:31상', 'kor', '1 Chronicles 10:1-2 Chronicles 9:31'],
  ['Evangelo secondo Luca (24,35-48)', 'ita', 'Luke 24:35-48'],
  ['Röm 15,5(7)-13', 'deu', 'Romans 15:5-13'],
  ['Мф. 5, 1–12 (зач. 10)', 'rus', 'Matthew 5:1-12'],
  ['路加福音 12:29-31 和合本', 'zho', 'Luke 12:29-31'],
  ['ヨハネ第一書:第2章15~17節', 'jpn', '1 John 2:15-17'],
  ['מלא׳ ג 21', 'heb', 'Malachi 3:21'],
  ['מל״א ג 21', 'heb', '1 Kings 3:21'],
  ['Rom. 9:18, 19 with II Sam. 6:13', 'eng', 'Romans 9:18,19; 2 Samuel 6:13'],
  ['Pfal. 19. 1, 2', 'eng', 'Psalms 19:1,2'],
  ['Bereshit 1:1', 'eng', 'Genesis 1:1'],
  ['Yeshayahu 53:5', 'eng', 'Isaiah 53:5'],
  ['Melachim II 4:1', 'eng', '2 Kings 4:1'],
  ['I Shmuel 17:4', 'eng', '1 Samuel 17:4'],
  ['Shir HaShirim 1:1', 'eng', 'Song of Solomon 1:1'],
])(
  'readReference reads the words, notes and marks of lectionaries, catechisms and scans: %j (%s)',
  (text, language, expected) => expect(read(text, language)).toBe(expected),
);

test.each([
  ['psalm ninety one', 'eng', 'Psalms 91'],
  ['psalm one hundred and nineteen verse one hundred five', 'eng', 'Psalms 119:105'],
  ['psalm one nineteen one oh five', 'eng', 'Psalms 119:105'],
  ['romans chapter eight verse twenty eight', 'eng', 'Romans 8:28'],
  ['first corinthians thirteen verse four through seven', 'eng', '1 Corinthians 13:4-7'],
  ['isaiah fifty three', 'eng', 'Isaiah 53'],
  ['john three sixteen', 'eng', 'John 3:16'],
  ['job thirty eight four', 'eng', 'Job 38:4'],
  ['salmo noventa y uno', 'spa', 'Psalms 91'],
  ['primera de corintios trece', 'spa', '1 Corinthians 13'],
  ['juan tres dieciséis', 'spa', 'John 3:16'],
  ['romanos capítulo ocho versículo veintiocho', 'spa', 'Romans 8:28'],
  ['psalm einundneunzig', 'deu', 'Psalms 91'],
  ['erster korinther dreizehn vers vier bis sieben', 'deu', '1 Corinthians 13:4-7'],
  ['johannes drei sechzehn', 'deu', 'John 3:16'],
  ['psaume quatre-vingt-onze', 'fra', 'Psalms 91'],
  ['première aux corinthiens treize', 'fra', '1 Corinthians 13'],
  ['jean chapitre trois verset seize', 'fra', 'John 3:16'],
  ['salmo novantuno', 'ita', 'Psalms 91'],
  ['prima lettera ai corinzi tredici', 'ita', '1 Corinthians 13'],
  ['giovanni tre sedici', 'ita', 'John 3:16'],
  ['salmo noventa e um', 'por', 'Psalms 91'],
  ['primeira aos coríntios treze', 'por', '1 Corinthians 13'],
  ['joão três dezesseis', 'por', 'John 3:16'],
])('readReference reads the spoken reference %j', (text, language, expected) =>
  expect(read(text, language)).toBe(expected),
);

test.each(['am one', 'is one', 'act one', 'he three', 'one two three', 'psalm', 'verse one'])(
  'readReference takes no number in words after a short name or none: %j names no chapter',
  (text) => {
    const reference = readReference(text, shapeOf('eng'));
    expect(reference.kind === 'reference' && reference.spans.some(({ start }) => start.chapter !== null)).toBe(false);
  },
);

test.each([
  ['John 3:16-end', 'eng', 'John 3:16ff'],
  ['Mt 3:16 par.', 'eng', 'Matthew 3:16'],
  ['Mt 3,16 u. 17', 'deu', 'Matthew 3:16,17'],
  ['Jean 3.16 et suivants', 'fra', 'John 3:16ff'],
  ['Ин 3:16 и далее', 'rus', 'John 3:16ff'],
  ['J 3,16n', 'pol', 'John 3:16-17'],
  ['J 3,16nn', 'pol', 'John 3:16ff'],
  ['zob. J 3,16', 'pol', 'John 3:16'],
  ['ср.: Ин. 3, 16', 'rus', 'John 3:16'],
  ['イザヤ11:2以下', 'jpn', 'Isaiah 11:2ff'],
  ['イザ 11:1-3', 'jpn', 'Isaiah 11:1-3'],
  ['lsaiah 40:31', 'eng', 'Isaiah 40:31'],
  ['Rornans 8:28', 'eng', 'Romans 8:28'],
  ['l Cor 13:4', 'eng', '1 Corinthians 13:4'],
  ['1 Thessa1onians 4:13', 'eng', '1 Thessalonians 4:13'],
])('readReference reads words after a verse, and the letters that scans confuse: %j', (text, language, expected) =>
  expect(read(text, language)).toBe(expected),
);

test.each([
  [
    'fra',
    'Tobie|Judith|Sagesse|Siracide|Baruch|Lettre de Jérémie|Suzanne|Bel et le Dragon|1 Maccabées|2 Maccabées|1 M',
  ],
  [
    'deu',
    'Tobit|Judit|Weisheit|Jesus Sirach|Sir|Baruch|Brief Jeremias|Susanna|1. Makkabäer|2 Makk|Gebet Manasses|Weish',
  ],
  ['ita', 'Tobia|Giuditta|Sapienza|Siracide|Baruc|Lettera di Geremia|Susanna|1 Maccabei|2 Mac'],
  ['rus', 'Товит|Иудифь|Премудрость Соломона|Сирах|Варух|Послание Иеремии|1 Маккавейская|2 Мак|2 Ездры|3 Ездры'],
  ['pol', 'Tobiasza|Judyty|Mądrości|Syracha|Barucha|1 Machabejska|2 Mch'],
])(
  'readReference knows the deuterocanonical names of the language %s, whose books the translation lacks',
  (language, names) => {
    for (const name of names.split('|'))
      expect([name, read(`${name} 2,1`, language)]).toEqual([
        name,
        expect.stringContaining(`Invalid reference: '${name} 2,1' (book not found: this translation does not have `),
      ]);
  },
);

const tables = join(__dirname, '..', 'book-names');
test.each(readdirSync(tables).map((file) => file.replace('.tsv', '')))(
  'readReference reads each name of %s in a translation of this language without own names',
  (language) => {
    const shape = { ...numberingShape('web'), language };
    const wrong: string[] = [];
    for (const line of readFileSync(join(tables, `${language}.tsv`), 'utf8')
      .trimEnd()
      .split('\n')) {
      const [code, names = ''] = line.split('\t');
      for (const text of names.split('|').flatMap((name) => [`${name} 1:2`, `${name} 1`])) {
        const read = readReference(text, shape);
        if (read.kind !== 'reference' || read.spans.some(({ start }) => start.book !== code)) wrong.push(text);
      }
    }
    expect(wrong).toEqual([]);
  },
);

test.each([
  ['Daniel 3:16', 'fra', { DAN: 'Daniel', DAG: 'Daniel grec', GEN: 'Genèse' }, 'Daniel 3:16'],
  ['Hb 11:1', 'eng', {}, 'Hebrews 11:1'],
  ['Filêmon 6', 'por', {}, 'Philemon 1:6'],
] as const)('readReference prefers a whole name to the beginning of another: %j', (text, language, names, expected) =>
  expect(read(text, language, withNames(language, names))).toBe(expected),
);
