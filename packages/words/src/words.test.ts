import { generateTexts, testSeed, textsWithNonlinearTime } from '@lectern/testing';
import {
  commonBeginning,
  foldWord,
  functionLemmas,
  functionWords,
  hasStemmer,
  ordinaryWords,
  stemmerFor,
  tokenize,
  verseWords,
  withoutTilde,
} from './index';

test.each([
  ['Oración', 'oracion'],
  ['ORACIÓN', 'oracion'],
  ['amó', 'amo'],
  ['ESPÍRITU', 'espiritu'],
  ['vergüenza', 'verguenza'],
  ['Straße', 'strasse'],
  ['cœur', 'coeur'],
  ['Cæsar', 'caesar'],
  ['愛', '爱'],
  ['été', 'ete'],
  ['בְּרֵאשִׁית', 'בראשית'],
  ['λόγος', 'λογοσ'],
  ['ΛΌΓΟΣ', 'λογοσ'],
  ['Бог', 'бог'],
  ['ﬁre', 'fire'],
  ['𝔊od', 'god'],
  ['प्रभु', 'प्रभु'],
  ['क्\u200dया', 'क्या'],
  ['الكلـــمات', 'الكلمات'],
  ['کتاب\u200cهای', 'كتابهاي'],
  ['Him\u00admel', 'himmel'],
  ['him\u2060mel', 'himmel'],
  ['Đường', 'duong'],
  ['kırk', 'kirk'],
])('foldWord, which removes case and accents for comparisons, folds %s to %s', (word, folded) => {
  expect(foldWord(word)).toBe(folded);
  expect(foldWord(folded)).toBe(folded);
});

test('foldWord does not change ñ to n, and withoutTilde does', () => {
  expect([foldWord('AÑO'), foldWord('an\u0303o'), foldWord('ano')]).toEqual(['año', 'año', 'ano']);
  expect(withoutTilde('año')).toBe('ano');
});

test('tokenize divides a text into words of letters, marks and digits, and returns their positions', () => {
  const text = '¡Oh Jehová!  1 Sam. 🙂 d’Israël an\u0303o';
  const found = tokenize(text);
  expect(found.map((token) => token.text)).toEqual(['Oh', 'Jehová', '1', 'Sam', 'd', 'Israël', 'an\u0303o']);
  for (const { text: word, start, length } of found) expect(text.slice(start, start + length)).toBe(word);
});

test.each([
  ['耶和華是我的牧者。', ['耶和華', '是', '我的', '牧者']],
  ['道は長い。', ['道', 'は', '長い']],
  ['น้ำไหลลงทะเล', ['น้ำ', 'ไหล', 'ลง', 'ทะเล']],
  ['第3章 verse', ['第', '3', '章', 'verse']],
  ['کتاب\u200cها روی', ['کتاب\u200cها', 'روی']],
  ['Him\u00admel und a\u2060b', ['Him\u00admel', 'und', 'a\u2060b']],
  ['ab\u200bcd', ['ab', 'cd']],
])('tokenize divides %s into the words %j', (text, words) => {
  expect(tokenize(text).map((token) => token.text)).toEqual(words);
});

test('tokenize finds no words in punctuation, lone combining marks and lone surrogates', () => {
  expect(tokenize('\u0301 — … \ud800 \u200f "')).toEqual([]);
});

test('stemmerFor gives a Spanish singular and its plural the same stem, and leaves Hebrew words unchanged', () => {
  const spanish = stemmerFor('spa');
  expect(new Set(['misericordia', 'misericordias'].map(spanish)).size).toBe(1);
  expect([hasStemmer('spa'), hasStemmer('heb'), stemmerFor('heb')('שלום')]).toEqual([true, false, 'שלום']);
});

test.each([
  ['hin', 'वचन', 'वचनों'],
  ['nep', 'वचन', 'वचनहरू'],
  ['srp', 'реч', 'речи'],
  ['ukr', 'слово', 'слова'],
])('stemmerFor("%s") gives %s and %s the same stem', (language, word, form) => {
  const stem = stemmerFor(language);
  expect(stem(foldWord(form))).toBe(stem(foldWord(word)));
});

test.each([
  ['believe', 'believeth believest believedst'],
  ['come', 'cometh comest'],
  ['go', 'goeth goest'],
  ['see', 'seeth seest'],
  ['flee', 'fleeth'],
  ['cries', 'crieth criest'],
  ['lies', 'lieth liest'],
  ['run', 'runneth runnest'],
  ['make', 'maketh makest'],
  ['walk', 'walketh walkedst'],
])('stemmerFor("eng") gives %s and its archaic forms %s the same stem', (verb, forms) => {
  const stem = stemmerFor('eng');
  for (const form of forms.split(' ')) expect([form, stem(form)]).toEqual([form, stem(verb)]);
});

test.each([
  ['comely', 'come'],
  ['harvest', 'harv'],
  ['teeth', 'teed'],
  ['best', 'bed'],
  ['nest', 'ned'],
  ['seth', 'seed'],
  ['twentieth', 'twenty'],
  ['greatest', 'great'],
])('stemmerFor("eng") gives %s and %s different stems', (word, other) => {
  const stem = stemmerFor('eng');
  expect(stem(word)).not.toBe(stem(other));
});

test.each([
  ['eng', 'die died dies dying dieth'],
  ['eng', 'wife wives'],
  ['eng', 'child children'],
  ['eng', 'man men'],
  ['eng', 'foot feet'],
  ['eng', 'give gave given giveth'],
  ['eng', 'speak spoke spoken spake'],
  ['eng', 'eat ate eaten'],
  ['eng', 'neighbor neighbour neighbours'],
  ['spa', 'pez peces'],
  ['spa', 'luz luces'],
  ['spa', 'orar oraba orando oro\u0301'],
  ['spa', 'leer leyo leyeron'],
  ['spa', 'mujer mujeres'],
  ['spa', 'venir viene vendra'],
  ['deu', 'hutte huette'],
  ['lat', 'jesus iesus'],
  ['dan', 'søn soen'],
  ['kor', '예수 예수께서 예수께서는 예수의'],
  ['kor', '사랑 사랑하는 사랑하사 사랑을'],
])('stemmerFor("%s") gives the words "%s" one stem', (language, words) => {
  expect(new Set(words.split(' ').map(stemmerFor(language))).size).toBe(1);
});

test.each([
  ['eng', 'ate at'],
  ['eng', 'evening even'],
  ['eng', 'general generous generation'],
  ['eng', 'one on'],
  ['eng', 'use us'],
  ['spa', 'pecado peces'],
  ['spa', 'mano mana manases manada'],
  ['spa', 'casa caso casar'],
  ['spa', 'sol solo solido'],
  ['spa', 'ley leyo'],
  ['spa', 'luces lucas lucir'],
  ['spa', 'oro oro\u0301'],
  ['deu', 'neue neun'],
  ['kor', '아이 아'],
])('stemmerFor("%s") gives the words "%s" different stems', (language, words) => {
  const all = words.split(' ');
  expect(new Set(all.map(stemmerFor(language))).size).toBe(all.length);
});

test('stemmerFor with "distinct" takes words out of the stem of another word, but brings no forms together', () => {
  const stem = stemmerFor('eng', 'distinct');
  expect([stem('evening') === stem('even'), stem('ate') === stem('at')]).toEqual([false, false]);
  expect([stem('died') === stem('die'), stem('wives') === stem('wife')]).toEqual([false, false]);
  expect(stemmerFor('deu', 'distinct')('huette')).not.toBe(stemmerFor('deu', 'distinct')('hutte'));
});

test.each([
  ['deu', 'geben', 'gibt gab gegeben'],
  ['deu', 'verstehen', 'versteht verstand verstanden'],
  ['fra', 'venir', 'vient vint viendra'],
  ['fra', 'oeil', 'yeux'],
  ['ita', 'morire', 'muore mori morto'],
  ['ita', 'uomo', 'uomini'],
  ['por', 'fazer', 'faz fez feito'],
  ['por', 'coracao', 'coracoes'],
])('stemmerFor(%j) gives %j and its irregular forms %j the same stem', (language, lemma, forms) => {
  const stem = stemmerFor(language);
  expect(forms.split(' ').map(stem)).toEqual(forms.split(' ').map(() => stem(lemma)));
});

test.each([
  ['deu', 'weiss', 'wissen'],
  ['deu', 'stunde', 'stehen'],
  ['fra', 'lit', 'lire'],
  ['ita', 'terra', 'tenere'],
  ['por', 'ira', 'ir'],
])('stemmerFor(%j) keeps %j apart from %j, because the word usually means something else', (language, word, verb) => {
  expect(stemmerFor(language)(word)).not.toBe(stemmerFor(language)(verb));
});

test('commonBeginning returns the beginning of the forms of a word in a language whose words take endings, or null', () => {
  expect([commonBeginning('தேவன்', 'tam'), commonBeginning('որդի', 'hye')]).toEqual(['தேவன', 'որդ']);
  expect([commonBeginning('love', 'eng'), commonBeginning('ab', 'est')]).toEqual([null, null]);
});

test('ordinaryWords returns everyday English or Spanish words without accents, and no words for another language', () => {
  expect(ordinaryWords('eng').has('anxious')).toBe(true);
  expect(ordinaryWords('spa').has('biblia')).toBe(true);
  expect(ordinaryWords('deu').size).toBe(0);
});

test('functionWords returns the function words of a language without accents, or none for an unsupported language', () => {
  expect(['tambien', 'también'].map((word) => functionWords('spa').has(word))).toEqual([true, false]);
  expect(functionWords('eng').has('lord')).toBe(false);
  expect(functionWords('zho').has('的')).toBe(true);
  expect(functionWords('xyz').size).toBe(0);
});

test.each([
  ['tokenize', tokenize],
  ['foldWord', foldWord],
  ['the English stemmer', stemmerFor('eng')],
  ['the Spanish stemmer', stemmerFor('spa')],
  ['the Korean stemmer', stemmerFor('kor')],
])('the computing time of %s grows linearly with the length of a random text', (_, work) => {
  expect(textsWithNonlinearTime(generateTexts(testSeed()), work)).toEqual([]);
});

test('verseWords makes one word of an English contraction, and leaves possessives and other languages as they are', () => {
  const wordsOf = (text: string, language: string): string[] => verseWords(text, language).map(({ folded }) => folded);
  expect(wordsOf('I don’t, we’ll; God’s t', 'eng')).toEqual(['i', "don't", "we'll", 'god', 's', 't']);
  expect(wordsOf('l’d', 'fra')).toEqual(['l', 'd']);
  expect(wordsOf("t 't don''t", 'eng')).toEqual(['t', 't', 'don', 't']);
});

test('functionLemmas lists function words of Greek and Hebrew with points and accents', () => {
  expect([functionLemmas('grc').has('ὁ'), functionLemmas('grc').has('λόγος')]).toEqual([true, false]);
  expect(['אֶל', 'אֵל'].map((lemma) => functionLemmas('hbo').has(lemma.normalize('NFC')))).toEqual([true, false]);
  expect(functionLemmas('eng').size).toBe(0);
});
