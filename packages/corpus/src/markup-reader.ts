import type { WordTag } from './translation';
import { createVerseTextBuilder } from './verse-text-builder';

export type Attributes = (name: string) => string;

/** What the elements of a markup mean for the reading text. Names are as `open` gets them. */
export interface MarkupRules {
  /** Not read aloud as the verse: notes, headings, who speaks. Its content goes. */
  unread: (name: string, attribute: Attributes) => boolean;
  /** A new line on paper, so at least a blank here. */
  line: (name: string) => boolean;
  /** Direct speech: the blank behind it is often lost. */
  quote: ReadonlySet<string>;
  /** Words that translators added. */
  addition: ReadonlySet<string>;
  /** The divine name, which some sources write "Lord" and leave its capitals to the page. */
  divineName: ReadonlySet<string>;
  /** The Strong's numbers of a tagged word; null for any other element. */
  strongs: (name: string, attribute: Attributes) => readonly string[] | null;
  /** What an element writes by itself: a quotation mark. */
  mark?: (name: string, attribute: Attributes) => string;
}

export interface MarkupOptions {
  /** Strong's tags are collected. */
  tags: boolean;
  /** "Lord" as the divine name is raised to "LORD". */
  raiseDivineName: boolean;
  /** True when an addition, marked up right behind a word, belongs to that word ("Júrame" + "lo"). */
  joins?: (before: string, addition: string) => boolean;
}

interface Element {
  name: string;
  unread: boolean;
  tagged: boolean;
}

// Markers of USFM that some converter left in the text ("\nd LORD\nd*").
const strayMarker = /\\\+?[a-z]+\d?(?:\*|\s|$)/g;

/** Turns a run of elements and text into reading text: `start` a verse, feed it, `finish` it. Elements may span verses. */
export function createMarkupReader(rules: MarkupRules, options: MarkupOptions) {
  const stack: Element[] = [];
  let reading = createVerseTextBuilder();
  let unread = 0;
  let divine = 0;
  // What came right before: a blank is missing only where two tags stand side by side.
  let before: { kind: 'text' | 'open' | 'close'; name: string } = { kind: 'text', name: '' };

  const leave = (element: Element): void => {
    if (element.tagged) reading.closeTag();
    if (element.unread) unread -= 1;
    if (rules.divineName.has(element.name)) divine -= 1;
  };

  const markSeam = (kind: 'open' | 'close', name: string, skipped: boolean, ahead?: () => string): void => {
    if (rules.line(name)) reading.blank();
    else if (skipped) reading.seam('cut');
    else if (rules.quote.has(name)) reading.seam('quote');
    else if (kind === 'open' && rules.addition.has(name) && before.kind === 'close') {
      if (!ahead || !options.joins?.(reading.lastWord(), ahead())) reading.seam('addition');
    } else if (kind === 'open' && before.kind === 'close' && rules.addition.has(before.name)) reading.seam('addition');
  };

  return {
    start(): void {
      // Tags do not reach over the end of a verse; what is unread may.
      for (const element of stack) element.tagged = false;
      reading = createVerseTextBuilder();
      before = { kind: 'text', name: '' };
    },
    /** `ahead` gives the element's own text, where the caller can look that far. */
    open(name: string, attribute: Attributes, ahead?: () => string): void {
      const skipped = rules.unread(name, attribute);
      const strongs = options.tags && unread === 0 && !skipped ? rules.strongs(name, attribute) : null;
      if (unread === 0) markSeam('open', name, skipped, ahead);
      if (unread === 0 && !skipped) reading.write(rules.mark?.(name, attribute) ?? '');
      if (strongs) reading.openTag(strongs);
      if (skipped) unread += 1;
      if (rules.divineName.has(name)) divine += 1;
      stack.push({ name, unread: skipped, tagged: strongs !== null });
      before = { kind: 'open', name };
    },
    /** Closes all up to its own opening: some notes in SWORD modules are not well formed. Without one it does nothing. */
    close(name: string): void {
      if (!stack.some((element) => element.name === name)) return;
      for (let element = stack.pop(); element; element = stack.pop()) {
        leave(element);
        if (element.name === name) break;
      }
      if (unread === 0) markSeam('close', name, false);
      before = { kind: 'close', name };
    },
    text(text: string): void {
      if (text === '') return;
      before = { kind: 'text', name: '' };
      if (unread > 0) return;
      const clean = text.includes('\\') ? text.replace(strayMarker, '') : text;
      reading.write(
        divine > 0 && options.raiseDivineName ? clean.replace(/\p{Lu}\p{Ll}+/gu, (word) => word.toUpperCase()) : clean,
      );
    },
    finish: (): { text: string; words: WordTag[] } => reading.finish(),
  };
}
export type MarkupReader = ReturnType<typeof createMarkupReader>;
