import type { HeadingKind, NoteKind, TextBreak, TextMarkKind } from '@lectern/verse-layout';
import type { VerseText } from '../translation';
import { createVerseBuilder, type PendingLayout, type VerseBuilder } from './verse-builder';

/** Returns the value of an attribute, or '' if the element lacks it. */
export type Attributes = (name: string) => string;
export const noAttributes: Attributes = () => '';

/** The kind of an element that pages show, but that is not part of the verse's text: a note or a heading. */
type Aside = NoteKind | HeadingKind;

const isNote = (kind: Aside): kind is NoteKind => kind === 'TRANSLATION' || kind === 'CROSS_REFERENCE';

export interface MarkupRules {
  /** Returns whether the content of an element is not part of the verse, such as notes, headings and speakers. */
  unread: (name: string, attribute: Attributes) => boolean;
  /** The elements that start a new line when printed, so they separate words. */
  line: Pick<ReadonlySet<string>, 'has'>;
  /** The elements that enclose direct speech. Sources often lack the space after such an element. */
  quote?: ReadonlySet<string>;
  /** The elements that enclose words that the translators added. */
  addition?: ReadonlySet<string>;
  /** The elements that enclose the divine name. Some sources write "Lord" and expect pages to show capitals. */
  divineName?: ReadonlySet<string>;
  /** Returns the Strong's numbers of an element that tags a word. Returns null for any other element. */
  strongs: (name: string, attribute: Attributes) => readonly string[] | null;
  /** Returns the lemma of a tagged word, or ''. */
  lemma?: (attribute: Attributes) => string;
  /** Returns the Strong's numbers of an element that tags the word before it. */
  strongsBefore?: (name: string, attribute: Attributes) => readonly string[];
  /** Returns the quotation mark for which an element stands, or ''. */
  quotationMark?: (name: string, attribute: Attributes) => string;
  /** Returns whether an element is a note or a heading, and its kind. Returns null for any other element. */
  aside: (name: string, attribute: Attributes) => Aside | null;
  /** Returns whether an element of a note only repeats which verse the note is on ("3:16"). It is left out. */
  noteOrigin?: (name: string, attribute: Attributes) => boolean;
  /** Returns the target of a link in a note. Returns '' if the element is not a link. */
  linkTarget?: (name: string, attribute: Attributes) => string;
  textMark?: (name: string, attribute: Attributes) => TextMarkKind | null;
  /** Returns the paragraph, line or stanza that begins with an element, or null. */
  textBreak: (name: string, attribute: Attributes) => Omit<TextBreak, 'start'> | null;
}

export interface MarkupOptions {
  /** Whether Strong's numbers are read. */
  tags: boolean;
  /** Whether "Lord" becomes "LORD" where it is the divine name. */
  raiseDivineName: boolean;
  /** Returns whether an added word belongs to the word before it, as in "Júrame" + "lo" = "Júramelo". */
  joins?: (before: string, addition: string) => boolean;
}

interface OpenElement {
  name: string;
  unread: boolean;
  tagged: boolean;
  /** Whether the element only repeats which verse a note is on. */
  origin: boolean;
  /** Whether the element is a link in a note. */
  linked: boolean;
  /** Whether names in the element get capitals. An export of a translation has `x-case` where they do not. */
  raised: boolean;
  /** For a note or a heading: its kind, its text so far, and the note or heading around it. Otherwise null. */
  aside: { kind: Aside; text: VerseBuilder; outer: OpenElement['aside'] } | null;
}

const maxOutsideLength = 40;
/** The maximum number of links that are read from one note. */
const maxLinks = 200;

// Matches the name of a Hebrew letter, which is the heading of a stanza in an acrostic psalm.
const acrostic =
  /^(?:\p{Script=Hebrew}\s*)?(?:ale(?:ph|f)|beth?|gimel|dale(?:th?|d)|hey?|va[vu]|waw|zay?in|c?heth?|teth?|yodh?|yud|jod|[kc]a(?:ph|f)|kapf|lamedh?|mem|nun|same(?:kh|ch)|ay?in|pey?|tza(?:dhe|dd?i)|tsadh?e|[qk](?:oph|uf)|resh|sin and shin|sc?hin|ta[vu])\.?$/iu;

// Matches USFM markers that a converter has left in the text ("\nd LORD\nd*").
const strayMarker = /\\\+?[a-z]+\d?(?:\*|\s|$)/g;

/**
 * Converts markup to text, tags and layout. For each verse, call `start` (optional for the first), then `open`, `close`
 * and `text`, then `finish`. An element may end in a later verse.
 */
export function createMarkupReader(
  rules: MarkupRules,
  options: MarkupOptions = { tags: true, raiseDivineName: true },
  carried?: PendingLayout,
) {
  const stack: OpenElement[] = [];
  let verse = createVerseBuilder(carried);
  // The number of open elements whose text is not part of the verse.
  let unreadDepth = 0;
  let originDepth = 0;
  let divineNameDepth = 0;
  /** The innermost open note or heading, to which text is added. Null if text is added to the verse. */
  let aside: OpenElement['aside'] = null;
  /** The previous tag or text. Between two adjacent tags, the source may lack a space. */
  let previous: { kind: 'text' | 'open' | 'close'; name: string } = { kind: 'text', name: '' };
  /** The beginning of the text since the last verse that is finished. */
  let outside = '';

  const leave = (element: OpenElement): void => {
    if (element.tagged) verse.closeTag();
    if (element.linked) aside?.text.closeTag();
    verse.closeMark(element);
    if (element.unread) unreadDepth -= 1;
    if (element.origin) originDepth -= 1;
    if (element.raised) divineNameDepth -= 1;
    if (!element.aside) return;
    aside = element.aside.outer;
    const { kind } = element.aside;
    const { text, words } = element.aside.text.finish();
    if (text === '') return;
    // While a note is read, its links are stored as tags whose lemma is the target of the link.
    const links = words.slice(0, maxLinks).map(({ start, length, lemma = '' }) => ({ start, length, target: lemma }));
    if (isNote(kind)) verse.addNote(kind, text, links);
    else verse.addHeading({ kind: acrostic.test(text) ? 'ACROSTIC' : kind, text });
  };

  /** Tells the verse builder that an element starts or ends here, so that the source may lack a space. */
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
      // The tag of a word ends with the verse. Marks, notes and headings may continue in the next verse.
      for (const element of stack) element.tagged = false;
      verse = verse.next();
      previous = { kind: 'text', name: '' };
    },
    /** Handles a start tag. `ownText` returns the text inside the element, if the caller can look ahead. */
    open(name: string, attribute: Attributes, ownText?: () => string): void {
      const unread = rules.unread(name, attribute);
      const isText = unreadDepth === 0 && !unread;
      const strongs = options.tags && isText ? rules.strongs(name, attribute) : null;
      // The text of a note inside another note belongs to the outer note.
      const isShown = unreadDepth === 0 || (aside !== null && !isNote(aside.kind));
      const kind = unread && isShown ? rules.aside(name, attribute) : null;
      const origin = aside !== null && rules.noteOrigin?.(name, attribute) === true;
      // Inside a link, no other link is read.
      const isLinkPlace = aside !== null && isNote(aside.kind) && !stack.some(({ linked }) => linked);
      const target = isLinkPlace ? (rules.linkTarget?.(name, attribute) ?? '') : '';
      if (target !== '') aside?.text.openTag([], target);
      const element: OpenElement = {
        name,
        unread,
        tagged: strongs !== null,
        origin,
        linked: target !== '',
        raised: rules.divineName?.has(name) === true && attribute('x-case') === '',
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
      if (element.raised) divineNameDepth += 1;
      if (element.aside) aside = element.aside;
      stack.push(element);
      previous = { kind: 'open', name };
    },
    /** Closes the last open element with this name, and all elements inside it. Some modules lack end tags. */
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
      if (!aside && outside.length < maxOutsideLength) outside = (outside + clean).trimStart();
      (aside?.text ?? verse).write(
        divineNameDepth > 0 && options.raiseDivineName
          ? clean.replace(/\p{Lu}\p{Ll}+/gu, (word) => word.toUpperCase())
          : clean,
      );
    },
    finish(): VerseText {
      outside = '';
      return verse.finish();
    },
    takeOutside(): string {
      const taken = outside.slice(0, maxOutsideLength).trim();
      outside = '';
      return taken;
    },
    /** Closes all elements, and drops the text after the last verse. Must be called at the start of a book. */
    reset(): void {
      stack.length = 0;
      [unreadDepth, originDepth, divineNameDepth] = [0, 0, 0];
      aside = null;
      verse = createVerseBuilder();
      previous = { kind: 'text', name: '' };
    },
    /** Returns the breaks and headings after the verse's last word. They belong to the next verse. */
    pending: (): PendingLayout => verse.pending(),
    takeHeadings: (kind: HeadingKind | null): PendingLayout['headings'] => verse.takeHeadings(kind),
    endMilestones: (): boolean => verse.endMilestones(),
  };
}
export type MarkupReader = ReturnType<typeof createMarkupReader>;
