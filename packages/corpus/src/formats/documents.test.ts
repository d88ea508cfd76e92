import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test-support/temporary-folder';
import { importSource } from '../import';
import type { DraftTranslation } from '../translation';

const folder = temporaryFolder();
const genesis = '\\id GEN\n\\c 1\n\\p\n\\v 1 Am Anfang';

/** Imports files with these names and contents, and one with the first verse of Genesis. */
const read = (files: Record<string, string>): Promise<DraftTranslation> => {
  const source = mkdtempSync(join(folder, 'bible-'));
  for (const [name, content] of Object.entries({ '01GEN.usfm': genesis, ...files }))
    writeFileSync(join(source, name), content);
  return importSource(source, { identifier: 'tst-file', language: 'deu' });
};
const paragraphs = ({ documents = [] }: DraftTranslation): string[][] =>
  documents.map(({ code, title, paragraphs: each }) => [
    `${code}: ${title}`,
    ...each.map(({ kind, level, keyword, text }) => `${kind} ${level} ${keyword ?? '-'}: ${text}`),
  ]);

test('importing USFM keeps the introduction to a book, without its titles, notes, pictures and sidebars', async () => {
  const introduction = `\\id GEN Kleine Bibel
\\h 1. Mose
\\mt1 Das erste Buch
\\imt1 Zur Genesis
\\is2 Der \\nd Herr\\nd*
\\ip Ein~Buch\\f + \\ft Oder: Werk\\f* der \\bk Anfänge\\bk*.\\fig Bild|src="a.jpg"\\fig*
\\iot Gliederung
\\io1 Schöpfung \\ior (1:1-2)\\ior*
\\iq2 Lob
\\ib
\\esb \\p Kasten \\esbe
\\p Ohne eigene Marke
\\tr \\tc1 eins\\tc2 zwei
\\ie
\\s Am Anfang
\\c 1
\\ip Nicht davor
\\p
\\v 1 eins`;
  const draft = await read({ '01GEN.usfm': introduction });
  expect(paragraphs(draft)).toEqual([
    [
      'GEN: Zur Genesis',
      'HEADING 2 -: Der Herr',
      'PARAGRAPH 1 -: Ein Buch der Anfänge.',
      'HEADING 1 -: Gliederung',
      'LIST_ITEM 1 -: Schöpfung (1:1-2)',
      'LINE 2 -: Lob',
      'PARAGRAPH 1 -: Ohne eigene Marke',
      'LINE 1 -: eins zwei',
    ],
  ]);
  expect(draft.verses.map(({ text, layout }) => [text, layout.headings.map((each) => each.text)])).toEqual([
    ['eins', ['Am Anfang']],
  ]);
});

const preface = `\\id FRT
\\h Vorwort
\\periph Titelseite|id="title"
\\mt1 Die Bibel
\\mt2 Eine Übersetzung
\\p Gedruckt \\w hier|lemma="hier"\\w*`;
const glossary = `\\id GLO
\\h Worterklärungen
\\c 1
\\p
\\v 1 Schwere Wörter
\\p \\k Abba\\k*, das heißt Vater\\x - \\xt Mk 14,36\\x*
\\ili Ein \\k Wort\\k* im Satz`;

test('importing USFM keeps front matter and the keywords of a glossary in the order of a printed Bible', async () => {
  const draft = await read({ '00GLO.usfm': glossary, '99FRT.usfm': preface });
  expect(paragraphs(draft)).toEqual([
    ['FRT: Die Bibel', 'HEADING 1 -: Titelseite', 'HEADING 2 -: Eine Übersetzung', 'PARAGRAPH 1 -: Gedruckt hier'],
    [
      'GLO: Worterklärungen',
      'PARAGRAPH 1 -: Schwere Wörter',
      'PARAGRAPH 1 Abba: Abba, das heißt Vater',
      'LIST_ITEM 1 -: Ein Wort im Satz',
    ],
  ]);
  expect(draft.documents?.map(({ kind }) => kind)).toEqual(['FRONT_MATTER', 'GLOSSARY']);
  expect(draft).toMatchObject({ verses: { length: 1 }, findings: [] });
  expect(draft.remarks.join()).not.toContain('left out');
});

test('importing USX keeps the same documents as importing USFM', async () => {
  const usx = (code: string, body: string): string =>
    `<usx version="3.0"><book code="${code}" style="id"/>${body}</usx>`;
  const fromUsx = await read({
    '01GEN.usfm': usx(
      'GEN',
      '<chapter number="1" style="c"/><para style="p"><verse number="1" style="v"/>Am Anfang</para>',
    ),
    '00GLO.usfm': usx(
      'GLO',
      '<para style="h">Worterklärungen</para>\n<chapter number="1" style="c"/><para style="p"><verse number="1" style="v"/>Schwere Wörter</para><para style="p"><char style="k">Abba</char>, das heißt Vater<note style="x" caller="-"><char style="xt">Mk 14,36</char></note></para><para style="ili">Ein <char style="k">Wort</char> im Satz</para>',
    ),
    '99FRT.usfm': usx(
      'FRT',
      '<para style="h">Vorwort</para><periph alt="Titelseite" id="title"><para style="mt1">Die Bibel</para><para style="mt2">Eine Übersetzung</para><para style="p">Gedruckt <char style="w" lemma="hier">hier</char></para></periph>',
    ),
  });
  const fromUsfm = await read({ '00GLO.usfm': glossary, '99FRT.usfm': preface });
  expect(fromUsx.documents).toEqual(fromUsfm.documents);
  expect(fromUsx.source.format).toBe('USX');
});

test('importing USFM reports a keyword that is not closed, and keeps its paragraph without a keyword', async () => {
  const draft = await read({ 'GLO.usfm': '\\id GLO\n\\p \\k Abba heißt Vater\n\\p \\k Amen\\k* heißt so sei es' });
  expect(paragraphs(draft)).toEqual([
    ['GLO: ', 'PARAGRAPH 1 -: Abba heißt Vater', 'PARAGRAPH 1 Amen: Amen heißt so sei es'],
  ]);
  expect(draft.findings).toMatchObject([
    { kind: 'markup', place: 'GLO', line: 2, message: '\\k is not closed by \\k*' },
  ]);
});

test('importing USFM says which documents have no text, and which occur again', async () => {
  const draft = await read({
    'a.usfm': '\\id GLO\n\\p erstes',
    'b.usfm': '\\id GLO\n\\p zweites',
    'c.usfm': '\\id FRT Leer\n\\mt Vorwort\n\\p',
  });
  expect(paragraphs(draft)).toEqual([['GLO: ', 'PARAGRAPH 1 -: erstes']]);
  expect(draft.remarks).toEqual(
    expect.arrayContaining([
      'left out, because they hold no text: FRT',
      'documents that occur again, of which the first is kept: GLO (b.usfm)',
    ]),
  );
});

test('importing USFM rejects a document of 5 MB and a paragraph of 20,001 characters with the file and the line', async () => {
  const long = '\\p 1234567890 1234567890 1234567890\n'.repeat(5_000_000 / 36);
  await expect(read({ 'OTH.usfm': `\\id OTH\n${long}` })).rejects.toThrow(
    'OTH.usfm, line 19232: the text of the document OTH has more than 1000000 characters; shorten it, or leave it out',
  );
  await expect(read({ 'OTH.usfm': `\\id OTH\n\\p kurz\n\\p ${'x'.repeat(20_001)}` })).rejects.toThrow(
    'OTH.usfm, line 3: a paragraph of the document OTH has more than 20000 characters; divide it',
  );
});
