const range = (first: string, last: string): string[] => {
  const start = first.codePointAt(0) ?? 0;
  const end = last.codePointAt(0) ?? 0;
  return Array.from({ length: end - start + 1 }, (_, index) => String.fromCodePoint(start + index));
};

/**
 * Pieces of text by their kind. Long texts of one kind are typical inputs that make parsers slow.
 * Some kinds have longer pieces: the names and numbers that a parser of Bible references looks for.
 */
export const characterClasses: Readonly<Record<string, readonly string[]>> = {
  'small letters': range('a', 'z'),
  'capital letters': range('A', 'Z'),
  'accented letters': [...'áéíóúüñçàèãõøßŁİ'],
  digits: range('0', '9'),
  whitespace: [' ', '\t', '\n', '\r\n', '\u00a0', '\u2003', '\u3000', '\ufeff'],
  punctuation: [...'.,;:!?-–—_/\\|*+&%#@~^=<>$'],
  brackets: [...'()[]{}<>'],
  'quotation marks': [...'"\'“”„«»‘’'],
  'combining marks': range('\u0300', '\u030f'),
  'letters with combining marks': ['a\u0301', 'n\u0303', 'e\u0323\u0302', 'и\u0306'],
  'Greek letters': range('α', 'ω'),
  'Hebrew letters': [...range('א', 'ת'), '\u05b0', '\u05bc'],
  'Arabic letters': range('ا', 'ي'),
  'Thai letters': range('ก', 'ฮ'),
  'Chinese characters': range('一', '世'),
  'compatibility forms': ['ﷺ', 'ﬃ', '㎢', '𝔊', '½', 'Ⅷ', 'ｇ'],
  emoji: ['😀', '👨‍👩‍👧', '🇪🇸', '✝️'],
  'control characters': ['\u0000', '\u0007', '\u200b', '\u202e'],
  'lone surrogates': ['\ud800', '\udc00'],
  'function words': ['the', 'and', 'of', 'to', 'in', 'he', 'that', 'a', 'i', 'de', 'la', 'y', 'que', 'en', 'el', 'no'],
  'frequent words': ['lord', 'god', 'unto', 'shall', 'king', 'israel', 'day', 'hijo', 'jehová', 'rey', 'tierra'],
  'book names': [
    'John',
    'Gen',
    'Ps',
    'Psalms',
    'JHN',
    '1 Cor',
    'Song of Solomon',
    'Juan',
    'Apocalipsis',
    'Jude',
    'III Jn',
  ],
  'parts of references': [
    '1:1',
    '3:16-18',
    '119',
    '1-150',
    'ff',
    'ch. 3',
    'v. 7',
    '1:2,4,6',
    ';',
    'chapter 3 of',
    '999',
  ],
};
