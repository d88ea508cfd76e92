/** What Strong's dictionaries say of one word. */
export interface LexiconEntry {
  /** In its own script. */
  readonly lemma: string | null;
  readonly transliteration: string | null;
  readonly definition: string | null;
}

const orthography = /<orth(?<attributes>[^>]*)>(?<word>.*?)<\/orth>/s;

/**
 * Reads one entry of the dictionaries, whose markup is TEI: the word in its script, in our letters, how it is spoken, and then the
 * definition. Null for a number that Strong left out ("Not Used"). An entry without that markup is all definition.
 */
export function parseLexiconEntry(markup: string): LexiconEntry | null {
  // Greek entries write each word once more, in the ASCII of Beta Code.
  let rest = markup.replace(/<orth type="writing">.*?<\/orth>/gs, '');
  const take = (isWanted: (attributes: string) => boolean): string | null => {
    const found = orthography.exec(rest);
    if (!found || !isWanted(found.groups?.['attributes'] ?? '')) return null;
    rest = rest.slice(0, found.index) + rest.slice(found.index + found[0].length);
    return plain(found.groups?.['word'] ?? '');
  };
  const lemma = take((attributes) => !attributes.includes('type='));
  const transliteration = take((attributes) => attributes.includes('type="trans"'));
  const definition = plain(rest.replace(/<pron[^>]*>.*?<\/pron>/gs, ''))
    .replace(/^[,;:\s]+/, '')
    // Cross-references as we write numbers: the dictionaries have H0175 and H175.
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

/** Without markup, on one line. The Hebrew dictionary has `{word}` where Strong had `word,`: a comma that was lost on its way into the module. */
const plain = (markup: string): string =>
  markup
    .replace(/<(lb|p|br)\b[^>]*>/gi, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity] ?? entity)
    .replace(/\{([^{}]*)\}/g, '$1,')
    .replaceAll(',)', '),')
    .replace(/\s+/g, ' ')
    .replace(/ ([,;.])/g, '$1')
    .trim();
