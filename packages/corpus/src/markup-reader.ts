import type { WordTag } from './translation';
import { createVerseTextBuilder } from './verse-text-builder';

export type Attributes = (name: string) => string;

/** The rules for the elements of a markup language in the text of a verse. */
export interface MarkupRules {
  /**
   * Returns true for elements whose content is not part of the verse: notes, headings, speakers.
   */
  unread: (name: string, attribute: Attributes) => boolean;
  /** Returns true for elements that start a new line on paper. Such elements separate words. */
  line: (name: string) => boolean;
  /** The names of elements with direct speech. Sources often lack the space after them. */
  quote: ReadonlySet<string>;
  /** The names of elements with words that the translators added. */
  addition: ReadonlySet<string>;
  /**
   * The names of elements with the divine name. Some sources write "Lord" and expect the page to
   * print capitals.
   */
  divineName: ReadonlySet<string>;
  /** Returns the Strong's numbers of a tagged word. Returns null for any other element. */
  strongs: (name: string, attribute: Attributes) => readonly string[] | null;
  /** Returns the text that an element stands for, such as a quotation mark. */
  mark?: (name: string, attribute: Attributes) => string;
}

export interface MarkupOptions {
  /** Whether Strong's tags are collected. */
  tags: boolean;
  /** Whether "Lord" as the divine name becomes "LORD". */
  raiseDivineName: boolean;
  /**
   * Returns true if an addition directly after a word belongs to that word: "Júrame" + "lo" is
   * "Júramelo". Default: false.
   */
  joins?: (before: string, addition: string) => boolean;
}

interface OpenElement {
  name: string;
  unread: boolean;
  tagged: boolean;
}

// USFM markers that a converter left in the text ("\nd LORD\nd*").
const strayMarker = /\\\+?[a-z]+\d?(?:\*|\s|$)/g;

/**
 * Converts elements and text to the text of verses. Call `start` for each verse, then `open`, `close` and `text`,
 * then `finish`. Elements may span verses.
 */
export function createMarkupReader(rules: MarkupRules, options: MarkupOptions) {
  const stack: OpenElement[] = [];
  let verse = createVerseTextBuilder();
  // The numbers of open unread elements and of open elements of the divine name.
  let unreadDepth = 0;
  let divineNameDepth = 0;
  // The previous event. A space can be missing only where two tags follow each other without text between them.
  let previous: { kind: 'text' | 'open' | 'close'; name: string } = { kind: 'text', name: '' };

  const leave = (element: OpenElement): void => {
    if (element.tagged) verse.closeTag();
    if (element.unread) unreadDepth -= 1;
    if (rules.divineName.has(element.name)) divineNameDepth -= 1;
  };

  /** Marks in the builder that a tag separates the text before it from the text after it. */
  const markSeam = (kind: 'open' | 'close', name: string, skipped: boolean, ownText?: () => string): void => {
    if (rules.line(name)) verse.space();
    else if (skipped) verse.seam('cut');
    else if (rules.quote.has(name)) verse.seam('quote');
    else if (kind === 'open' && rules.addition.has(name) && previous.kind === 'close') {
      if (!ownText || !options.joins?.(verse.lastWord(), ownText())) verse.seam('addition');
    } else if (kind === 'open' && previous.kind === 'close' && rules.addition.has(previous.name))
      verse.seam('addition');
  };

  return {
    start(): void {
      // A tagged word ends with its verse. An unread element may continue in the next verse.
      for (const element of stack) element.tagged = false;
      verse = createVerseTextBuilder();
      previous = { kind: 'text', name: '' };
    },
    /**
     * Opens an element. `ownText` returns the text inside the element, if the caller can look
     * ahead.
     */
    open(name: string, attribute: Attributes, ownText?: () => string): void {
      const skipped = rules.unread(name, attribute);
      const strongs = options.tags && unreadDepth === 0 && !skipped ? rules.strongs(name, attribute) : null;
      if (unreadDepth === 0) markSeam('open', name, skipped, ownText);
      if (unreadDepth === 0 && !skipped) verse.write(rules.mark?.(name, attribute) ?? '');
      if (strongs) verse.openTag(strongs);
      if (skipped) unreadDepth += 1;
      if (rules.divineName.has(name)) divineNameDepth += 1;
      stack.push({ name, unread: skipped, tagged: strongs !== null });
      previous = { kind: 'open', name };
    },
    /**
     * Closes every open element up to the last element of this name, because some SWORD modules are
     * not well formed.
     */
    close(name: string): void {
      if (!stack.some((element) => element.name === name)) return;
      for (let element = stack.pop(); element; element = stack.pop()) {
        leave(element);
        if (element.name === name) break;
      }
      if (unreadDepth === 0) markSeam('close', name, false);
      previous = { kind: 'close', name };
    },
    text(text: string): void {
      if (text === '') return;
      previous = { kind: 'text', name: '' };
      if (unreadDepth > 0) return;
      const clean = text.includes('\\') ? text.replace(strayMarker, '') : text;
      verse.write(
        divineNameDepth > 0 && options.raiseDivineName
          ? clean.replace(/\p{Lu}\p{Ll}+/gu, (word) => word.toUpperCase())
          : clean,
      );
    },
    finish: (): { text: string; words: WordTag[] } => verse.finish(),
  };
}
export type MarkupReader = ReturnType<typeof createMarkupReader>;
