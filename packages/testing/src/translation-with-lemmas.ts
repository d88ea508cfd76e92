/**
 * An invented translation whose source says the lemma of each word, as `buildDerivedTranslations` of
 * packages/corpus takes it: Psalm 1, one verse for each line. A word is `surface/lemma/number`, where
 * the Strong's number may be empty.
 */
export const translationWithLemmas = (identifier: string, language: string, lines: readonly string[]) => ({
  identifier,
  digest: '0',
  read: () => ({
    identifier,
    name: identifier,
    abbrev: null,
    language,
    languageName: null,
    direction: language === 'hbo' ? ('RTL' as const) : ('LTR' as const),
    note: 'Public Domain',
    licence: { code: 'PD', holder: null, url: null },
    numbering: 'standard' as const,
    bookNames: new Map(),
    remarks: [],
    source: { format: 'invented', name: identifier, version: null, digest: '0' },
    verses: lines.map((line, index) => ({ ordinal: 19_001_001 + index, ...verseOf(line) })),
  }),
});

function verseOf(line: string) {
  let text = '';
  const words = line.split(' ').map((word) => {
    const [surface = '', lemma = '', number = ''] = word.split('/');
    const start = text === '' ? 0 : text.length + 1;
    text = text === '' ? surface : `${text} ${surface}`;
    return { start, length: surface.length, strongs: number === '' ? [] : [number], lemma: lemma.replaceAll('_', ' ') };
  });
  return { text, words, layout: { breaks: [], marks: [], notes: [], headings: [] } };
}
