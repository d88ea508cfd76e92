export interface MarkupToken {
  readonly kind: 'text' | 'open' | 'close' | 'empty';
  /** The element's name. '' for text. */
  readonly name: string;
  /** The decoded text. '' for a tag. */
  readonly text: string;
  /** The attributes as written. `readAttribute` parses them. */
  readonly attributes: string;
}

/** An XML parser would reject many entries of modules, such as "<divineName>LORD\+nd*: or ...</note>". */
export function tokenizeMarkup(entry: string): MarkupToken[] {
  const tokens: MarkupToken[] = [];
  const lastCommentEnd = entry.lastIndexOf('-->');
  const pattern = /<(\/?)([\w:.-]+)(?![\w:.-])([^<>]*)>|[^<]+|</y;
  while (pattern.lastIndex < entry.length) {
    const at = pattern.lastIndex;
    if (at + 4 <= lastCommentEnd && entry.startsWith('<!--', at)) {
      pattern.lastIndex = entry.indexOf('-->', at + 4) + 3;
      continue;
    }
    const [whole, slash, name = '', rest = ''] = pattern.exec(entry) ?? [''];
    if (name === '') tokens.push({ kind: 'text', name, text: decodeEntities(whole), attributes: '' });
    else
      tokens.push({ kind: slash ? 'close' : rest.endsWith('/') ? 'empty' : 'open', name, text: '', attributes: rest });
  }
  return tokens;
}

/** Returns the value of an attribute, or '' if there is none. */
export function readAttribute(attributes: string, name: string): string {
  for (const match of attributes.matchAll(/(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    if (match[1] === name) return decodeEntities(match[2] ?? match[3] ?? '');
  }
  return '';
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Decodes XML's entities and `&nbsp;`. Removes references to characters that do not exist. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? whole;
      const point = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16);
      return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff) ? String.fromCodePoint(point) : '';
    },
  );
}

/** The highest numbers of Strong's dictionaries. Any higher number is an error, or a code for grammar. */
const maxNumber: Readonly<Record<string, number>> = { G: 5624, H: 8674 };

/** Parses a `lemma` attribute: "strong:G4314 G0846 x" gives ["G4314", "G846"]. */
export function parseStrongs(lemma: string): string[] {
  const numbers = lemma.split(/[\s|&,;]+/).flatMap((part) => {
    const [, letter = '', number] = /^(?:strongs?:)?([GH])0*([1-9]\d{0,4})[a-z]?$/i.exec(part.toUpperCase()) ?? [];
    return Number(number) <= (maxNumber[letter] ?? 0) ? [`${letter}${number}`] : [];
  });
  return [...new Set(numbers)];
}
