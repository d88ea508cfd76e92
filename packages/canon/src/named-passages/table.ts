import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BookCode } from '../books';
import { isBookCode } from '../books';
import type { Place } from '../ids';
import { verseOrdinal } from '../ids';

const namedPassageKinds = [
  'PARABLE',
  'MIRACLE',
  'PRAYER',
  'SONG',
  'SPEECH',
  'COVENANT',
  'LAW',
  'EVENT',
  'PROPHECY',
  'PSALM',
  'SAYING',
  'FESTIVAL',
  'OTHER',
] as const;
export type NamedPassageKind = (typeof namedPassageKinds)[number];

/** A passage that readers know by a name. */
export interface NamedPassage {
  /** The permanent id of the passage: lower-case letters, digits and hyphens. */
  id: string;
  kind: NamedPassageKind;
  /** The names in each language. The first is the most common name. */
  names: Readonly<Record<'eng' | 'spa', readonly [string, ...string[]]>>;
  /** The places of the passage in the standard numbering, the main place first. A place may have several spans. */
  passages: readonly [Spans, ...Spans[]];
}

type Spans = readonly [PassageSpan, ...PassageSpan[]];

/** A range of verses, or of whole chapters if both verses are null. */
export interface PassageSpan {
  start: PassagePoint;
  end: PassagePoint;
}

interface PassagePoint {
  book: BookCode;
  chapter: number;
  verse: number | null;
}

const folder = join(__dirname, '..', '..', 'named-passages');
let table: readonly NamedPassage[] | undefined;
let byId: ReadonlyMap<string, NamedPassage> | undefined;
let spans: readonly { passage: NamedPassage; first: number; last: number }[] | undefined;

/** Returns all named passages, in the order of their main places. Throws if a line of the table is malformed. */
export function namedPassages(): readonly NamedPassage[] {
  table ??= readdirSync(folder)
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').trimEnd().split('\n'))
    .map(parseLine)
    .sort((a, b) => spanOrdinals(a.passages[0][0]).first - spanOrdinals(b.passages[0][0]).first);
  return table;
}

export function namedPassageById(id: string): NamedPassage | null {
  byId ??= new Map(namedPassages().map((passage) => [passage.id, passage]));
  return byId.get(id) ?? null;
}

/**
 * Returns the named passages that contain a verse (in the standard numbering), those with the shortest span first.
 */
export function namedPassagesAt(place: Place): NamedPassage[] {
  spans ??= namedPassages()
    .flatMap((passage) => passage.passages.flat().map((span) => ({ passage, ...spanOrdinals(span) })))
    .sort((a, b) => a.last - a.first - (b.last - b.first));
  const ordinal = verseOrdinal(place);
  const found = spans.filter(({ first, last }) => first <= ordinal && ordinal <= last);
  return [...new Set(found.map(({ passage }) => passage))];
}

/** Returns the first and last ordinal of a span. For a whole chapter, `last` is above the ordinals of its verses. */
export function spanOrdinals({ start, end }: PassageSpan): { first: number; last: number } {
  return {
    first: verseOrdinal({ ...start, verse: start.verse ?? 0 }),
    last: verseOrdinal({ ...end, verse: end.verse ?? 999 }),
  };
}

function parseLine(line: string): NamedPassage {
  const [id = '', kind = '', english = '', spanish = '', references = ''] = line.split('\t');
  const [eng, spa] = [english.split('|'), spanish.split('|')];
  const passages = references.split(';').map(parseSpans);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id) || !isKind(kind) || !isFilled(eng) || !isFilled(spa) || !hasFirst(passages))
    throw new Error(`Malformed line in the table of named passages: ${line}`);
  return { id, kind, names: { eng, spa }, passages };
}

const isKind = (text: string): text is NamedPassageKind => namedPassageKinds.some((kind) => kind === text);
const hasFirst = <Item>(list: Item[]): list is [Item, ...Item[]] => list.length > 0;
const isFilled = (names: string[]): names is [string, ...string[]] =>
  hasFirst(names) && names.every((name) => name !== '');

function parseSpans(text: string): Spans {
  const [first = '', ...others] = text.split(',');
  return [parseSpan(first), ...others.map(parseSpan)];
}

/** Parses `PSA 23`, `GEN 6-9`, `JHN 3:16`, `JHN 3:16-18` or `GEN 1:1-2:3`. */
function parseSpan(text: string): PassageSpan {
  const match = /^([0-9A-Z]{3}) (\d+)(?::(\d+))?(?:-(?:(\d+):)?(\d+))?$/.exec(text);
  const [, book = '', chapter, verse, endChapter, end] = match ?? [];
  if (!isBookCode(book)) throw new Error(`Malformed reference in the table of named passages: ${text}`);
  const start = { book, chapter: Number(chapter), verse: verse === undefined ? null : Number(verse) };
  if (end === undefined) return { start, end: start };
  if (start.verse === null) return { start, end: { ...start, chapter: Number(end) } };
  return { start, end: { book, chapter: Number(endChapter ?? chapter), verse: Number(end) } };
}
