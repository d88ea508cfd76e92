import { osisRules } from './markup/osis';
import { type Attributes, createMarkupReader, type MarkupOptions } from './markup/reader';
import { type MarkupToken, readAttribute, tokenizeMarkup } from './markup/tokens';
import type { VerseText } from './markup/verse';
import type { PendingLayout } from './verse-layout-recorder';

/** The types of `div` elements that stand before or after the text of a book. */
const matterTypes = new Set([
  'appendix',
  'back',
  'colophon',
  'front',
  'glossary',
  'index',
  'introduction',
  'preface',
  'titlePage',
]);

/** The text of an entry, and the breaks and headings after it that belong to the next entry. */
export interface OsisEntry extends VerseText {
  readonly pending: PendingLayout;
}

/**
 * Reads the text, the tags and the layout of one OSIS entry of a SWORD module. `carried` are the
 * breaks and headings at the end of the entry before. The function uses `tokenizeMarkup` instead of
 * an XML parser, because entries are fragments and some are not well formed:
 * "<divineName>LORD\+nd*: or ...</note>".
 */
export function readOsisEntry(entry: string, options: MarkupOptions, carried?: PendingLayout): OsisEntry {
  const markup = createMarkupReader(osisRules, options, carried);
  const tokens = tokenizeMarkup(entry);
  for (const [index, token] of tokens.entries()) {
    const attribute: Attributes = (name) => readAttribute(token.attributes, name);
    if (endsBook(token, attribute) || startsMatter(token, attribute)) break;
    if (token.kind === 'text') markup.text(token.text);
    if (token.kind === 'open' || token.kind === 'empty')
      markup.open(token.name, attribute, () => textUntilClose(tokens, index));
    if (token.kind === 'close' || token.kind === 'empty') markup.close(token.name);
  }
  return { ...markup.finish(), pending: markup.pending() };
}

function textUntilClose(tokens: readonly MarkupToken[], from: number): string {
  const name = tokens[from]?.name;
  let text = '';
  for (let index = from; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token?.kind === 'close' && token.name === name) break;
    text += token?.text ?? '';
  }
  return text;
}

/**
 * Returns true at the end of a book. The text after it is not part of the verse: the module of the
 * World English Bible has a glossary there.
 */
const endsBook = (token: MarkupToken, attribute: Attributes): boolean =>
  token.name === 'div' && token.kind !== 'open' && attribute('eID') !== '' && attribute('type') === 'book';

/**
 * Returns true at the start of a part that is not text of a book, such as a glossary or an
 * introduction.
 */
const startsMatter = (token: MarkupToken, attribute: Attributes): boolean =>
  token.name === 'div' && token.kind !== 'close' && attribute('eID') === '' && matterTypes.has(attribute('type'));
