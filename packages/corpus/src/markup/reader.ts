import type { HeadingKind, NoteKind, TextBreak, TextMarkKind } from '@lectern/verse-layout';
import type { VerseText } from '../translation';
import { createVerseBuilder, type PendingLayout, type VerseBuilder } from './verse-builder';

/** Returns the value of an attribute, or '' if the element lacks it. */
export type Attributes = (name: string) => string;
export const noAttributes: Attributes = () => '';

/** An element that a page shows but that is not part of the verse's text: a note or a heading. */
type Aside = NoteKind | HeadingKind;

const isNote = (kind: Aside): kind is NoteKind => kind === 'TRANSLATION' || kind === 'CROSS_REFERENCE';

/** The rules of a markup language: the meaning of its elements in the text of a verse. */
export interface MarkupRules {
  /** Returns whether the content of an element is not part of the verse, such as notes, headings and speakers. */
  unread: (name: string, attribute: Attributes) => boolean;
  /** The elements that start a new line on paper, so they separate words. */
  line: Pick<ReadonlySet<string>, 'has'>;
  /** The elements with direct speech. Sources often lack the space after such an element. */
  quote?: ReadonlySet<string>;
  /** Elements with words that the translators added. */
  addition?: ReadonlySet<string>;
  /** The elements with the divine name. Some sources write "Lord" and expect pages to show it in capitals. */
  divineName?: ReadonlySet<string>;
  /** Returns the Strong's numbers of a tagged word, or null for other elements. */
  strongs: (name: string, attribute: Attributes) => readonly string[] | null;
  /** Returns the lemma of a tagged word, or an empty text. */
  lemma?: (attribute: Attributes) => string;
  /** Returns the Strong's numbers that an element gives to the word before the element. */
  strongsBefore?: (name: string, attribute: Attributes) => readonly string[];
  /** Returns the quotation mark that an element stands for, or an empty text. */
  quotationMark?: (name: string, attribute: Attributes) => string;
  /** Returns the kind of an element that a page shows but that is not part of the verse. Otherwise returns null. */
  aside: (name: string, attribute: Attributes) => Aside | null;
  /**
   * Returns whether an element in a note only repeats the place of the note, such as "3:16". Such an element is left
   * out.
   */
  noteOrigin?: (name: string, attribute: Attributes) => boolean;
  /** Returns the target of a link in a note. Returns '' if the element is not a link. */
  linkTarget?: (name: string, attribute: Attributes) => string;
  textMark?: (name: string, attribute: Attributes) => TextMarkKind | null;
  /** Returns the paragraph, line or stanza that begins with an element, or null. */
  textBreak: (name: string, attribute: Attributes) => Omit<TextBreak, 'start'> | null;
}

export interface MarkupOptions {
  /** Whether the reader collects Strong's numbers. */
  tags: boolean;
  /** Whether "Lord" as the divine name becomes "LORD". */
  raiseDivineName: boolean;
  /** Returns true if an addition belongs to the word before it: "Júrame" + "lo" is "Júramelo". */
  joins?: (before: string, addition: string) => boolean;
}

interface OpenElement {
  name: string;
  unread: boolean;
  tagged: boolean;
  /** Whether the element only repeats the place of a note. */
  origin: boolean;
  /** Whether the element is a link in a note. */
  linked: boolean;
  /** If the element is a note or a heading: its kind, its text so far, and the outer note or heading. */
  aside: { kind: Aside; text: VerseBuilder; outer: OpenElement['aside'] } | null;
}

/** The maximum number of links that are read of a note. */
const maxLinks = 200;

// The names of Hebrew letters, which are the headings of the stanzas of an acrostic psalm.
const acrostic =
  /^(?:\p{Script=Hebrew}\s*)?(?:ale(?:ph|f)|beth?|gimel|dale(?:th?|d)|hey?|va[vu]|waw|zay?in|c?heth?|teth?|yodh?|yud|jod|[kc]a(?:ph|f)|kapf|lamedh?|mem|nun|same(?:kh|ch)|ay?in|pey?|tza(?:dhe|dd?i)|tsadh?e|[qk](?:oph|uf)|resh|sin and shin|sc?hin|ta[vu])\.?$/iu;

// USFM markers that a converter left in the text ("\nd LORD\nd*").
const strayMarker = /\\\+?[a-z]+\d?(?:\*|\s|$)/g;

/**
 * Creates a reader that converts markup to the text, the tags and the layout of verses. For each
 * verse, call `start`, which only the first verse does not need, then `open`, `close` and `text`
 * for its markup, then `finish`. Elements may span verses.
 */
export function createMarkupReader(rules: MarkupRules, options: MarkupOptions, carried?: PendingLayout) {
  const stack: OpenElement[] = [];
  let verse = createVerseBuilder(carried);
  // The number of open elements whose text is not part of the verse.
  let unreadDepth = 0;
  let originDepth = 0;
  let divineNameDepth = 0;
  /** The open note or heading, which receives the text. Null if the text belongs to the verse. */
  let aside: OpenElement['aside'] = null;
  /** The previous event. If two tags follow each other, the source may lack a space between them. */
  let previous: { kind: 'text' | 'open' | 'close'; name: string } = { kind: 'text', name: '' };

  const leave = (element: OpenElement): void => {
    if (element.tagged) verse.closeTag();
    if (element.linked) aside?.text.closeTag();
    verse.closeMark(element);
    if (element.unread) unreadDepth -= 1;
    if (element.origin) originDepth -= 1;
    if (rules.divineName?.has(element.name)) divineNameDepth -= 1;
    if (!element.aside) return;
    aside = element.aside.outer;
    const { kind } = element.aside;
    const { text, words } = element.aside.text.finish();
    if (text === '') return;
    // In the text of a note, tags are used to store links: the lemma is the target.
    const links = words.slice(0, maxLinks).map(({ start, length, lemma = '' }) => ({ start, length, target: lemma }));
    if (isNote(kind)) verse.addNote(kind, text, links);
    else verse.addHeading({ kind: acrostic.test(text) ? 'ACROSTIC' : kind, text });
  };

  /** Tells the verse builder that the source may lack a space here, where an element starts or ends. */
  const markBoundary = (kind: 'open' | 'close', name: string, skipped: boolean, ownText?: () => string): void => {
    const isAfterClose = kind === 'open' && previous.kind === 'close';
    if (rules.line.has(name)) verse.space();
    else if (skipped) verse.boundary('cut');
    else if (rules.quote?.has(name)) verse.boundary('quote');
    else if (isAfterClose && rules.addition?.has(name)) {
      if (!ownText || !options.joins?.(verse.lastWord(), ownText())) verse.boundary('addition');
    } else if (isAfterClose && rules.addition?.has(previous.name)) verse.boundary('addition');
  };

  /** Records the paragraph, line or mark that an element begins, or the mark that a milestone ends. */
  const readLayout = (element: OpenElement, attribute: Attributes): void => {
    const textBreak = rules.textBreak(element.name, attribute);
    if (textBreak) verse.addBreak(textBreak);
    const ended = attribute('eID');
    if (ended !== '') return verse.closeMark(ended);
    const kind = rules.textMark?.(element.name, attribute);
    if (kind) verse.openMark(attribute('sID') || element, kind);
  };

  return {
    start(): void {
      // A tagged word ends with its verse. Marks, notes and headings may continue in the next verse.
      for (const element of stack) element.tagged = false;
      verse = verse.next();
      previous = { kind: 'text', name: '' };
    },
    /** Handles a start tag. `ownText` returns the text inside the element, if the caller can look ahead. */
    open(name: string, attribute: Attributes, ownText?: () => string): void {
      const unread = rules.unread(name, attribute);
      const isText = unreadDepth === 0 && !unread;
      const strongs = options.tags && isText ? rules.strongs(name, attribute) : null;
      // A note inside a note is not a note of its own: its text belongs to the outer note.
      const isShown = unreadDepth === 0 || (aside !== null && !isNote(aside.kind));
      const kind = unread && isShown ? rules.aside(name, attribute) : null;
      const origin = aside !== null && rules.noteOrigin?.(name, attribute) === true;
      // A link inside another link is not read.
      const isLinkPlace = aside !== null && isNote(aside.kind) && !stack.some(({ linked }) => linked);
      const target = isLinkPlace ? (rules.linkTarget?.(name, attribute) ?? '') : '';
      if (target !== '') aside?.text.openTag([], target);
      const element: OpenElement = {
        name,
        unread,
        tagged: strongs !== null,
        origin,
        linked: target !== '',
        aside: kind && { kind, text: createVerseBuilder(), outer: aside },
      };
      if (unreadDepth === 0) markBoundary('open', name, unread, ownText);
      else if (rules.line.has(name)) aside?.text.space();
      if (isText) {
        verse.write(rules.quotationMark?.(name, attribute) ?? '');
        readLayout(element, attribute);
      }
      if (strongs) verse.openTag(strongs, rules.lemma?.(attribute) ?? '');
      if (options.tags && isText) verse.tagWord(rules.strongsBefore?.(name, attribute) ?? []);
      if (unread) unreadDepth += 1;
      if (origin) originDepth += 1;
      if (rules.divineName?.has(name)) divineNameDepth += 1;
      if (element.aside) aside = element.aside;
      stack.push(element);
      previous = { kind: 'open', name };
    },
    /** Closes the last open element with this name, and all elements inside it, because some modules lack end tags. */
    close(name: string): void {
      if (!stack.some((element) => element.name === name)) return;
      for (let element = stack.pop(); element; element = stack.pop()) {
        leave(element);
        if (element.name === name) break;
      }
      if (unreadDepth === 0) markBoundary('close', name, false);
      previous = { kind: 'close', name };
    },
    text(text: string): void {
      if (text === '') return;
      previous = { kind: 'text', name: '' };
      if (originDepth > 0 || (unreadDepth > 0 && !aside)) return;
      const clean = text.includes('\\') ? text.replace(strayMarker, '') : text;
      (aside?.text ?? verse).write(
        divineNameDepth > 0 && options.raiseDivineName
          ? clean.replace(/\p{Lu}\p{Ll}+/gu, (word) => word.toUpperCase())
          : clean,
      );
    },
    finish: (): VerseText => verse.finish(),
    /** Closes all elements and drops text after the last verse. Called at the start of a book. */
    reset(): void {
      stack.length = 0;
      [unreadDepth, originDepth, divineNameDepth] = [0, 0, 0];
      aside = null;
      verse = createVerseBuilder();
      previous = { kind: 'text', name: '' };
    },
    /** Returns the breaks and headings after the last word of the verse. They belong to the next verse. */
    pending: (): PendingLayout => verse.pending(),
  };
}
export type MarkupReader = ReturnType<typeof createMarkupReader>;
