import { foldWord, functionWords, hasStemmer, stemmerFor, tokenize, withoutTilde } from './index';

test.each([
  ['Oración', 'oracion'],
  ['ORACIÓN', 'oracion'],
  ['amó', 'amo'],
  ['ESPÍRITU', 'espiritu'],
  ['vergüenza', 'verguenza'],
  ['Straße', 'strasse'],
  ['cœur', 'cœur'],
  ['été', 'ete'],
  ['בְּרֵאשִׁית', 'בראשית'],
  ['λόγος', 'λογοσ'],
  ['ΛΌΓΟΣ', 'λογοσ'],
  ['Бог', 'бог'],
  ['ﬁre', 'fire'],
  ['𝔊od', 'god'],
  ['प्रभु', 'प्रभु'],
])('%s folds to %s, and folding that changes nothing', (word, folded) => {
  expect(foldWord(word)).toBe(folded);
  expect(foldWord(folded)).toBe(folded);
});

test('ñ is a letter of its own, typed in one character or in two', () => {
  expect([foldWord('AÑO'), foldWord('an\u0303o'), foldWord('ano')]).toEqual(['año', 'año', 'ano']);
  expect(withoutTilde('año')).toBe('ano');
});

test('words are runs of letters, marks and digits, with their places in the text', () => {
  const text = '¡Oh Jehová!  1 Sam. 🙂 d’Israël';
  const found = tokenize(text);
  expect(found.map((token) => token.text)).toEqual(['Oh', 'Jehová', '1', 'Sam', 'd', 'Israël']);
  for (const { text: word, start, length } of found) expect(text.slice(start, start + length)).toBe(word);
});

test('a combining mark alone, punctuation and lone surrogates are no words', () => {
  expect(tokenize('\u0301 — … \ud800 \u200f "')).toEqual([]);
});

test('the forms of a word share a stem in languages that have a stemmer', () => {
  const spanish = stemmerFor('spa');
  expect(new Set(['misericordia', 'misericordias'].map(spanish)).size).toBe(1);
  expect([hasStemmer('spa'), hasStemmer('heb'), stemmerFor('heb')('שלום')]).toEqual([true, false, 'שלום']);
});

test('function words are folded, and a language without a list has none', () => {
  expect(functionWords('spa').has('tambien')).toBe(true);
  expect(functionWords('eng').has('lord')).toBe(false);
  expect(functionWords('heb').size).toBe(0);
});
