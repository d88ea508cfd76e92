import type { HeadingKind, NoteKind, TextBreak, TextMarkKind } from '@lectern/verse-layout';
import {
  createLayoutRecorder,
  createVerseTextBuilder,
  type PendingLayout,
  type VerseText,
  type VerseTextBuilder,
} from './verse';

export type Attributes = (name: string) => string;

/**
 * The kind of an element that is not part of the verse's text but is shown on a page: a note or a
 * heading.
 */
type Aside =
  | { readonly kind: 'note'; readonly noteKind: NoteKind }
  | { readonly kind: 'heading'; readonly headingKind: HeadingKind };

/**
 * The rules for the elements of a markup language in the text of a verse. An absent rule matches no
 * element.
 */
export interface MarkupRules {
  /**
   * Returns true for elements whose content is not part of the verse: notes, headings, speakers.
   */
  unread: (name: string, attribute: Attributes) => boolean;
  /** Returns true for elements that start a new line on paper. Such elements separate words. */
  line: (name: string) => boolean;
  /** The names of elements with direct speech. Sources often lack the space after them. */
  quote?: ReadonlySet<string>;
  /** The names of elements with words that the translators added. */
  addition?: ReadonlySet<string>;
  /**
   * The names of elements with the divine name. Some sources write "Lord" and expect the page to
   * print capitals.
   */
  divineName?: ReadonlySet<string>;
  /** Returns the Strong's numbers of a tagged word. Returns null for any other element. */
  strongs: (name: string, attribute: Attributes) => readonly string[] | null;
  /** Returns the text that an element stands for, such as a quotation mark. */
  quotationMark?: (name: string, attribute: Attributes) => string;
  /**
   * Returns the kind of an unread element that a page shows. Returns null for any other element.
   */
  aside: (name: string, attribute: Attributes) => Aside | null;
  /**
   * Returns true for elements of a note that repeat the place of the note, such as "3:16". They are
   * left out.
   */
  noteOrigin?: (name: string, attribute: Attributes) => boolean;
  /** Returns the kind of the words that an element marks. Returns null for any other element. */
  textMark?: (name: string, attribute: Attributes) => TextMarkKind | null;
  /**
   * Returns the paragraph, line or stanza that begins with an element. Returns null for any other
   * element.
   */
  textBreak: (name: string, attribute: Attributes) => Omit<TextBreak, 'start'> | null;
}

export interface MarkupOptions {
  /** Whether Strong's tags are collected. */
  tags: boolean;
  /** Whether "Lord" as the divine name becomes "LORD". */
  raiseDivineName: boolean;
  /**
   * Returns true if an addition belongs to the word before it: "Júrame" + "lo" is "Júramelo".
   * Default: false.
   */
  joins?: (before: string, addition: string) => boolean;
}

interface OpenElement {
  name: string;
  unread: boolean;
  tagged: boolean;
  /** Whether the element repeats the place of a note. */
  origin: boolean;
  /** For a note or a heading: its kind, its text so far, and the note or heading around it. */
  aside: { content: Aside; text: VerseTextBuilder; outer: OpenElement['aside'] } | null;
}

// The names of the letters that begin the stanzas of an acrostic psalm, some with the letter before
// the name.
const acrostic =
  /^(?:\p{Script=Hebrew}\s*)?(?:aleph|beth|gimel|daleth|he|va[vu]|waw|zay?in|c?heth|teth|yodh?|jod|[kc]aph|kapf|lamedh?|mem|nun|same(?:kh|ch)|ay?in|pe|tza(?:dhe|ddi)|tsadh?e|[qk]oph|resh|sin and shin|sc?hin|ta[vu])\.?$/iu;

// USFM markers that a converter left in the text ("\nd LORD\nd*").
const strayMarker = /\\\+?[a-z]+\d?(?:\*|\s|$)/g;

/**
 * Creates a reader that converts markup to the text, the tags and the layout of verses. For each
 * verse, call `start`, which only the first verse does not need, then `open`, `close` and `text`
 * for its markup, then `finish`. Elements may span verses.
 */
export function createMarkupReader(rules: MarkupRules, options: MarkupOptions, carried?: PendingLayout) {
  const stack: OpenElement[] = [];
  let layout = createLayoutRecorder(carried);
  let verse = createVerseTextBuilder(layout);
  // How many unread elements, elements that repeat the place of a note, and elements with the
  // divine name are open.
  let unreadDepth = 0;
  let originDepth = 0;
  let divineNameDepth = 0;
  /**
   * The open marks, such as the words of Jesus. The key is the element, or the id of a milestone.
   */
  const marks = new Map<OpenElement | string, { kind: TextMarkKind }>();
  /** The open note or heading, which receives the text. Null if the text belongs to the verse. */
  let aside: OpenElement['aside'] = null;
  // The previous event. It matters because some sources lack a space where two tags follow each
  // other.
  let previous: { kind: 'text' | 'open' | 'close'; name: string } = { kind: 'text', name: '' };

  const openMark = (key: OpenElement | string, kind: TextMarkKind): void => {
    const mark = { kind };
    marks.set(key, mark);
    layout.openMark(mark, kind);
  };
  const closeMark = (key: OpenElement | string): void => {
    const mark = marks.get(key);
    if (mark) layout.closeMark(mark, verse.end());
    marks.delete(key);
  };

  const finishAside = ({ content, text: builder }: NonNullable<OpenElement['aside']>): void => {
    const { text } = builder.finish();
    if (text === '') return;
    if (content.kind === 'note') layout.addNote(content.noteKind, verse.end(), text);
    else layout.addHeading({ kind: acrostic.test(text) ? 'ACROSTIC' : content.headingKind, text });
  };

  const leave = (element: OpenElement): void => {
    if (element.tagged) verse.closeTag();
    closeMark(element);
    if (element.unread) unreadDepth -= 1;
    if (element.origin) originDepth -= 1;
    if (rules.divineName?.has(element.name)) divineNameDepth -= 1;
    if (element.aside) {
      finishAside(element.aside);
      aside = element.aside.outer;
    }
  };

  /**
   * Tells the text builder that an element starts or ends here, because the source may lack a space
   * at this point.
   */
  const markBoundary = (kind: 'open' | 'close', name: string, skipped: boolean, ownText?: () => string): void => {
    if (rules.line(name)) verse.space();
    else if (skipped) verse.boundary('cut');
    else if (rules.quote?.has(name)) verse.boundary('quote');
    else if (kind === 'open' && rules.addition?.has(name) && previous.kind === 'close') {
      if (!ownText || !options.joins?.(verse.lastWord(), ownText())) verse.boundary('addition');
    } else if (kind === 'open' && previous.kind === 'close' && rules.addition?.has(previous.name))
      verse.boundary('addition');
  };

  /**
   * Records the break or the mark that an element of the verse's text begins, or the mark that it
   * ends.
   */
  const readLayout = (element: OpenElement, attribute: Attributes): void => {
    const { name } = element;
    const textBreak = rules.textBreak(name, attribute);
    if (textBreak) layout.addBreak(textBreak);
    const ended = attribute('eID');
    if (ended !== '') closeMark(ended);
    const kind = ended === '' ? rules.textMark?.(name, attribute) : null;
    if (kind) openMark(attribute('sID') || element, kind);
  };

  return {
    start(): void {
      // A tagged word ends with its verse. A mark or an unread element may continue in the next
      // verse.
      for (const element of stack) element.tagged = false;
      layout = createLayoutRecorder(layout.pending());
      for (const mark of marks.values()) layout.openMark(mark, mark.kind);
      verse = createVerseTextBuilder(layout);
      previous = { kind: 'text', name: '' };
    },
    /**
     * Opens an element. `ownText` returns the text inside it; a caller that streams the markup
     * cannot look ahead.
     */
    open(name: string, attribute: Attributes, ownText?: () => string): void {
      const unread = rules.unread(name, attribute);
      const isText = unreadDepth === 0 && !unread;
      const strongs = options.tags && isText ? rules.strongs(name, attribute) : null;
      // A note inside a note is not read as a note: its text belongs to the outer note.
      const isShown = unreadDepth === 0 || aside?.content.kind === 'heading';
      const content = unread && isShown ? rules.aside(name, attribute) : null;
      const origin = aside !== null && rules.noteOrigin?.(name, attribute) === true;
      const element: OpenElement = {
        name,
        unread,
        tagged: strongs !== null,
        origin,
        aside: content && { content, text: createVerseTextBuilder(), outer: aside },
      };
      if (unreadDepth === 0) markBoundary('open', name, unread, ownText);
      else if (rules.line(name)) aside?.text.space();
      if (isText) {
        verse.write(rules.quotationMark?.(name, attribute) ?? '');
        readLayout(element, attribute);
      }
      if (strongs) verse.openTag(strongs);
      if (unread) unreadDepth += 1;
      if (origin) originDepth += 1;
      if (rules.divineName?.has(name)) divineNameDepth += 1;
      if (element.aside) aside = element.aside;
      stack.push(element);
      previous = { kind: 'open', name };
    },
    /**
     * Closes the last open element of this name and all inside it: some SWORD modules lack end
     * tags.
     */
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
    /** The breaks and headings after the verse's last word. They belong to the next verse. */
    pending: (): PendingLayout => layout.pending(),
  };
}
export type MarkupReader = ReturnType<typeof createMarkupReader>;
