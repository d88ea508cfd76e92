import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GraphqlClient, StartedProcess } from '@lectern/testing';
import { createGraphqlClient, linkData, spawnProcess, startProcess } from '@lectern/testing';
import { waitUntil } from '../support/processes';

/** Invented verses (Psalm 1) in scripts and languages of many kinds. */
const texts: Readonly<Record<string, readonly string[]>> = {
  amh: ['የጠዋት ብርሃን ሸለቆውን ያበራል።', 'ሰላም፡ወደ፡ቤቱ፡ገባ።'],
  ara: ['الكَلِماتُ الطَّيِّبةُ تُفرِحُ القلب.', 'البيتُ على الصخرة.'],
  ell: ['Το φως φωτίζει τις κοιλάδες.', 'Ο δρόμος είναι μακρύς.'],
  fas: ['کتاب‌ها روی میز است.', 'راهِ دراز روشن شد.'],
  heb: ['הַשָּׁלוֹם בָּא אֶל הַבַּיִת.', 'הַדֶּרֶךְ אֲרֻכָּה.'],
  hin: ['सुबह की रोशनी घाटियों को चमकाती है।', 'यह क्\u200dया है?'],
  jpn: ['朝の光が谷を照らす。', '道は長い。'],
  khm: ['ពន្លឺព្រឹកបំភ្លឺជ្រលងភ្នំ។', 'ផ្លូវវែងឆ្ងាយ។'],
  kor: ['아침 빛이 골짜기를 비춘다.', '길이 멀다.'],
  mya: ['နံနက်ခင်းအလင်းသည် တောင်ကြားကို ရောက်သည်။', 'လမ်းရှည်သည်။'],
  rus: ['Утренний свет освещает долины.', 'Дорога длинна.'],
  tam: ['காலை ஒளி பள்ளத்தாக்கை நிரப்புகிறது.', 'வழி நீளமானது.'],
  tha: ['แสงแดดยามเช้าส่องหุบเขา', 'น้ำไหลลงทะเล'],
  vie: ['Ánh sáng buổi sớm chiếu xuống đồi.', 'Đường dài lắm.'],
  zho: ['清晨的陽光照在山谷裡。', '道路很長。'],
};

const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
let lectern: StartedProcess;
let client: GraphqlClient;

beforeAll(async () => {
  linkData(folder);
  const files = Object.entries(texts).map(([language, verses]) => {
    const file = join(folder, `${language}-own.usfx`);
    const marked = verses.map((verse, index) => `<v id="${index + 1}"/>${verse}<ve/>`).join('');
    writeFileSync(
      file,
      `<usfx><languageCode>${language}</languageCode><book id="PSA"><h>Psalms</h><c id="1"/><p>${marked}</p></book></usfx>`,
    );
    return file;
  });
  const env = { LECTERN_DATA: folder, SEMANTIC_TRANSLATIONS: '' };
  const { ended, output } = spawnProcess('packages/standalone/dist/corpus-main.js', env, ['import', ...files]);
  if ((await ended) !== 0) throw new Error(output());
  lectern = await startProcess('packages/standalone/dist/main.js', { ...env, KEY_RATE_PER_MINUTE: '0' });
  await waitUntil(() => lectern.output().includes('curl'));
  const token = /svc_test_[A-Za-z0-9_-]{49}/.exec(lectern.output())?.[0] ?? '';
  client = createGraphqlClient(`${lectern.origin}/graphql`, token);
});
afterAll(async () => {
  lectern?.child.kill('SIGTERM');
  await lectern?.ended;
  rmSync(folder, { recursive: true });
});

interface Found {
  searchVerses: { edges: { node: { text: string }; matches: { start: number; length: number }[] }[] };
}

/** Returns the words of the best hit that match the query, as written. */
async function matchedWords(language: string, query: string): Promise<string[]> {
  const { data } = await client(
    'query ($query: String!, $translation: String!) { searchVerses(query: $query, translation: $translation, mode: WORDS) { edges { node { text } matches { start length } } } }',
    { query, translation: `${language}-own` },
  );
  const [best] = (data as unknown as Found).searchVerses.edges;
  return (best?.matches ?? []).map(({ start, length }) => (best?.node.text ?? '').slice(start, start + length));
}

test.each([
  ['amh', 'ብርሃን', ['ብርሃን']],
  ['amh', 'ቤቱ', ['ቤቱ']],
  ['ara', 'الكلمات', ['الكَلِماتُ']],
  ['ara', 'الكلـــمات', ['الكَلِماتُ']],
  ['ell', 'φωσ κοιλάδα', ['φως', 'κοιλάδες']],
  ['fas', 'كتابها', ['کتاب‌ها']],
  ['heb', 'השלום', ['הַשָּׁלוֹם']],
  ['hin', 'घाटियों', ['घाटियों']],
  ['hin', 'क्या', ['क्\u200dया']],
  ['jpn', '光', ['光']],
  ['jpn', '谷を照らす', ['谷を照らす']],
  ['khm', 'ពន្លឺ', ['ពន្លឺ']],
  ['kor', '골짜기', ['골짜기를']],
  ['mya', 'အလင်း', ['အလင်း']],
  ['rus', 'долина', ['долины']],
  ['tam', 'ஒளி', ['ஒளி']],
  ['tha', 'หุบเขา', ['หุบเขา']],
  ['tha', 'น้ำ', ['น้ำ']],
  ['vie', 'doi', ['đồi']],
  ['vie', 'Đường dài', ['Đường', 'dài']],
  ['zho', '陽光', ['陽光']],
  ['zho', '山谷陽光', ['陽光', '山谷']],
  ['zho', '"照在山谷"', ['照在山谷']],
])(
  'in a Bible translation with the language code %s, searchVerses for %s marks the words %j',
  async (language, query, words) => {
    expect(await matchedWords(language, query)).toEqual(words);
  },
);

test('a search for one character of Thai or Hindi marks only whole characters of the text with their combining marks', async () => {
  const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
  const seen = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);
  for (const [language, query] of [
    ['tha', 'น'],
    ['tha', 'า'],
    ['hin', 'र'],
  ] as const) {
    const characters = new Set((texts[language] ?? []).flatMap((text) => seen(text)));
    for (const word of await matchedWords(language, query))
      for (const character of seen(word)) expect([query, characters.has(character)]).toEqual([query, true]);
  }
});

test('concordanceIndex of a Chinese translation lists words as ICU divides them, without function words', async () => {
  const { data } = await client(
    '{ concordanceIndex(translation: "zho-own") { displayForm } concordance(translation: "zho-own", word: "陽光") { totalCount } }',
  );
  const { concordanceIndex, concordance } = data as unknown as {
    concordanceIndex: { displayForm: string }[];
    concordance: { totalCount: number };
  };
  const words = concordanceIndex.map(({ displayForm }) => displayForm);
  expect(words).toEqual(expect.arrayContaining(['山谷', '道路', '陽光']));
  expect(words).not.toContain('的');
  expect(concordance.totalCount).toBe(1);
});
