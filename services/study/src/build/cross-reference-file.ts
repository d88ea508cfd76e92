import { createReadingTools, type ReadingTools, type VerseSpan } from '@lectern/reference-works';

/** A cross reference of a file: a verse, and the verses that someone has set beside it. */
export interface VotedReference {
  /** The ordinal of the verse. */
  readonly verse: number;
  readonly target: VerseSpan;
  readonly votes: number;
}

export type ParsedCrossReferences =
  | { readonly kind: 'parsed'; readonly references: readonly VotedReference[] }
  /** One message for each bad line, with its number, at most `maxReported`. `count` is the number of all bad lines. */
  | { readonly kind: 'invalid'; readonly messages: readonly string[]; readonly count: number };

const maxReported = 20;
/** The maximum number of references in a file. The file of openbible.info has about 345,000. */
export const maxReferences = 2_000_000;

/**
 * Parses cross references in the layout of openbible.info: tab-separated lines of a verse (`Gen.1.1`), a verse or a range
 * (`Prov.8.22-Prov.8.30`) and votes (`59`). The first line holds the names of the columns. Blank lines are skipped.
 */
export function parseCrossReferences(
  text: string,
  { parser }: ReadingTools = createReadingTools(),
): ParsedCrossReferences {
  const references: VotedReference[] = [];
  const messages: string[] = [];
  let count = 0;
  const report = (line: number, reason: string): void => {
    count += 1;
    if (messages.length < maxReported) messages.push(`line ${line}: ${reason}`);
  };
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || (index === 0 && /^from\b/i.test(line))) continue;
    const [from = '', to = '', votes = '', ...more] = line.split('\t');
    const [source, ...others] = osisReference.test(from) ? (parser.parse(from) ?? []) : [];
    const targets = osisReference.test(to) ? (parser.parse(to) ?? []) : [];
    const [target] = targets;
    if (to === '' || votes === '')
      report(index + 1, 'a verse, a verse or a range, and votes must stand here, with tabs between');
    else if (more.some((column) => column.trim() !== '' && !column.startsWith('#')))
      report(index + 1, 'there are more than 3 columns');
    else if (!source || others.length > 0 || source.first !== source.last)
      report(index + 1, `'${shorten(from)}' is not a verse such as Gen.1.1`);
    else if (!target || targets.length > 1)
      report(index + 1, `'${shorten(to)}' is not a verse or a range such as Prov.8.22-Prov.8.30`);
    else if (!/^-?\d{1,9}$/.test(votes.trim())) report(index + 1, `'${shorten(votes)}' is not a number of votes`);
    else references.push({ verse: source.first, target, votes: Number(votes) });
    if (references.length > maxReferences) {
      report(index + 1, `a file has at most ${maxReferences} references`);
      break;
    }
  }
  if (count === 0 && references.length === 0) report(1, 'the file has no references');
  return count > 0 ? { kind: 'invalid', messages, count } : { kind: 'parsed', references };
}

const osisReference = /^[1-3]?[A-Za-z]+\.\d{1,3}\.\d{1,3}(?:-[1-3]?[A-Za-z]+\.\d{1,3}\.\d{1,3})?$/;

const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
