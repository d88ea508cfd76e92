import { createVersesAndParser, type VerseSpan, type VersesAndParser } from '@lectern/reference-works';

/** A line of an imported file: a verse, the verses to which it refers, and the readers' votes. */
export interface VotedReference {
  /** The ordinal of the verse: 43003016 for JHN 3:16. */
  readonly verse: number;
  readonly target: VerseSpan;
  readonly votes: number;
}

export type ParsedCrossReferences =
  /**
   * `unresolved` has a message for each line whose verses do not exist in the standard numbering
   * (the verse numbers of the King James Version).
   */
  | {
      readonly kind: 'parsed';
      readonly references: readonly VotedReference[];
      readonly unresolved: readonly string[];
    }
  /**
   * `messages` has a message for each bad line, with the number of the line, at most `maxReported`.
   * `count` is the number of all bad lines.
   */
  | { readonly kind: 'invalid'; readonly messages: readonly string[]; readonly count: number };

const maxReported = 20;
/** The maximum number of references in a file. The file of openbible.info has about 345,000. */
const maxReferences = 2_000_000;
/**
 * The maximum number of references to verses that do not exist, divided by the number of the other
 * references. A file with a larger share probably has another verse numbering, so it is rejected.
 */
const maxUnresolvedShare = 0.01;

/**
 * Parses cross references in the layout of openbible.info, which publishes cross references with
 * readers' votes. Each line has a verse (`Gen.1.1`), a verse or a range (`Prov.8.22-Prov.8.30`) and
 * votes (`59`), with tabs between them. The first line may have the names of the columns. Blank
 * lines are skipped.
 */
export function parseCrossReferences(
  text: string,
  versesAndParser: VersesAndParser = createVersesAndParser(),
): ParsedCrossReferences {
  const references: VotedReference[] = [];
  const unresolved: string[] = [];
  const bad: string[] = [];
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || (index === 0 && /^from\b/i.test(line))) continue;
    const parsed = parseLine(line, versesAndParser);
    if (parsed.kind === 'reference') references.push(parsed.reference);
    else (parsed.kind === 'unresolved' ? unresolved : bad).push(`line ${index + 1}: ${parsed.reason}`);
  }
  if (references.length > maxReferences)
    bad.push(`line ${lines.length}: a file has at most ${maxReferences} references`);
  if (bad.length === 0 && unresolved.length > references.length * maxUnresolvedShare) bad.push(...unresolved);
  if (bad.length === 0 && references.length === 0) bad.push('line 1: the file has no references');
  return bad.length > 0
    ? { kind: 'invalid', messages: bad.slice(0, maxReported), count: bad.length }
    : { kind: 'parsed', references, unresolved };
}

type ParsedLine =
  | { readonly kind: 'reference'; readonly reference: VotedReference }
  | { readonly kind: 'unresolved' | 'bad'; readonly reason: string };

function parseLine(line: string, { parser }: VersesAndParser): ParsedLine {
  const bad = (reason: string): ParsedLine => ({ kind: 'bad', reason });
  const [from = '', to = '', votes = '', ...more] = line.split('\t');
  if (to === '' || votes === '')
    return bad('a verse, a verse or a range, and votes must stand here, with tabs between');
  if (more.some((column) => column.trim() !== '' && !column.startsWith('#')))
    return bad('there are more than 3 columns');
  const isKnown = (text: string): boolean =>
    osisReference.test(text) &&
    [...text.matchAll(/[1-3]?[A-Za-z]+(?=\.)/g)].every(([name]) => parser.bookOf(name) !== null);
  if (!isKnown(from) || from.includes('-')) return bad(`'${shorten(from)}' is not a verse such as Gen.1.1`);
  if (!isKnown(to)) return bad(`'${shorten(to)}' is not a verse or a range such as Prov.8.22-Prov.8.30`);
  if (!/^-?\d{1,9}$/.test(votes.trim())) return bad(`'${shorten(votes)}' is not a number of votes`);
  const [verse, target] = [parser.parse(from)?.[0], parser.parse(to)?.[0]];
  if (!verse || !target)
    return { kind: 'unresolved', reason: `'${verse ? to : from}' does not exist in the standard numbering` };
  return { kind: 'reference', reference: { verse: verse.first, target, votes: Number(votes) } };
}

const osisReference = /^[1-3]?[A-Za-z]+\.\d{1,3}\.\d{1,3}(?:-[1-3]?[A-Za-z]+\.\d{1,3}\.\d{1,3})?$/;

const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
