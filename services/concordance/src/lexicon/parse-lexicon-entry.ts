/** The entry of one word in Strong's dictionaries. */
export interface LexiconEntry {
  /** The word in Hebrew or Greek script. Null if the entry does not have the word. */
  readonly lemma: string | null;
  readonly transliteration: string | null;
  readonly definition: string | null;
}

const orthography = /<orth(?<attributes>[^>]*)>(?<word>.*?)<\/orth>/s;

/**
 * Parses one entry, whose markup is TEI (an XML format for texts): the word in its script, its
 * transliteration, its pronunciation, and then the definition.
 * An entry without markup is only a definition.
 * Returns null for a number that Strong did not use ("Not Used"), and for an empty entry.
 */
export function parseLexiconEntry(markup: string): LexiconEntry | null {
  // Greek entries repeat the word in Beta Code, which writes Greek in ASCII. Removes this copy.
  let rest = markup.replace(/<orth type="writing">.*?<\/orth>/gs, '');
  const takeWord = (isAccepted: (attributes: string) => boolean): string | null => {
    const found = orthography.exec(rest);
    if (!found || !isAccepted(found.groups?.['attributes'] ?? '')) return null;
    rest = rest.slice(0, found.index) + rest.slice(found.index + found[0].length);
    return toPlainText(found.groups?.['word'] ?? '');
  };
  const lemma = takeWord((attributes) => !attributes.includes('type='));
  const transliteration = takeWord((attributes) => attributes.includes('type="trans"'));
  const definition = toPlainText(rest.replace(/<pron[^>]*>.*?<\/pron>/gs, ''))
    .replace(/^[,;:\s]+/, '')
    // The dictionaries write both H0175 and H175. Lectern writes H175.
    .replace(/\b([GH])0+(?=[1-9])/g, '$1');
  if (lemma === null && /^(not used)?$/i.test(definition)) return null;
  return { lemma: lemma || null, transliteration: transliteration || null, definition: definition || null };
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
};

/**
 * Removes the markup and the line breaks, and decodes entities such as `&amp;`.
 * Replaces `{word}` by `word,`, as Strong wrote: the Hebrew module has braces instead of the comma.
 */
const toPlainText = (markup: string): string =>
  markup
    .replace(/<(lb|p|br)\b[^>]*>/gi, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity] ?? entity)
    .replace(/\{([^{}]*)\}/g, '$1,')
    .replaceAll(',)', '),')
    .replace(/\s+/g, ' ')
    .replace(/ ([,;.])/g, '$1')
    .trim();
