import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { chapterEnds, listReferences, numberingShape, type ReferencePoint } from '@lectern/canon';
import { decodeEntities, openCommentary } from '@lectern/corpus';
import { withFolderLock } from '@lectern/data-files';
import { createVersesAndParser, type VerseSpan, type VersesAndParser } from '@lectern/reference-works';
import { moduleSources, type OperatorSource, operatorFile, operatorFolder, readOperatorSources } from './sources';

export interface VotedReference {
  /** The ordinal of the verse that has the reference: 43003016 for JHN 3:16. */
  readonly verse: number;
  readonly target: VerseSpan;
  readonly votes: number;
}

/** `unresolved` lists references to missing verses. Invalid lines have a message each, at most `maxReported`. */
type ParsedCrossReferences =
  | { readonly kind: 'parsed'; readonly references: VotedReference[]; readonly unresolved: readonly string[] }
  | { readonly kind: 'invalid'; readonly messages: readonly string[]; readonly count: number };

const maxReported = 20;
/** The maximum number of references in a file. The file of openbible.info has about 345,000. */
const maxReferences = 2_000_000;
/** The maximum share of references to missing verses. If there are more, the file probably has another numbering. */
const maxUnresolvedShare = 0.01;

/** Parses lines of openbible.info: a verse, a verse or range, and votes, with tabs between. A header may be first. */
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
    text.split('-').every((place) => parser.bookOf(place.slice(0, place.indexOf('.'))) !== null);
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

/** Returns the references of a commentary with one vote each. Throws an ImportError if the module is unreadable. */
function readModuleReferences(confFile: string): string {
  const shape = numberingShape('standard');
  const lines: string[] = [];
  const place = ({ book, chapter, verse }: ReferencePoint, isEnd: boolean): string => {
    const ends = chapterEnds('standard', book);
    const number = chapter ?? (isEnd ? ends.length : 1);
    return `${book}.${number}.${verse ?? (isEnd ? ends[number - 1] : 1)}`;
  };
  for (const { code, chapter, verse, text } of openCommentary(confFile).entries()) {
    // TSK writes "De" and "Jud", which mean something else in other texts.
    const plain = text
      .replace(/<[^<>]*>/g, ' ')
      .replace(/\b(De|Jud)(?= \d)/g, (name) => (name === 'De' ? 'Deut' : 'Judg'));
    for (const { spans } of verse === 0 ? [] : listReferences(decodeEntities(plain), shape))
      for (const { start, end } of spans)
        lines.push(`${code}.${chapter}.${verse}\t${place(start, false)}-${place(end, true)}\t1`);
  }
  return lines.join('\n');
}

const maxFileBytes = 200_000_000;
const maxSources = 20;

interface ImportOptions {
  file: string;
  source: OperatorSource;
  dataDir: string;
  log: (line: string) => void;
}

/** Replaces an earlier import of the source. The next build uses it. Resolves with null, or with error lines. */
export async function importCrossReferences({ file, source, dataDir, log }: ImportOptions): Promise<string[] | null> {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) return [`${file} is not a file`];
  if (stats.size > maxFileBytes) return [`${file} has more than ${maxFileBytes} bytes`];
  const others = readOperatorSources(dataDir).filter(({ id }) => id !== source.id);
  if (others.length >= maxSources)
    return [`at most ${maxSources} sources can be imported; remove one with --remove ID`];
  const text = file.endsWith('.conf') ? readModuleReferences(file) : readFileSync(file, 'utf8');
  const parsed = parseCrossReferences(text);
  if (parsed.kind === 'invalid') {
    const more = parsed.count - parsed.messages.length;
    const summary = `${file}: ${parsed.count} bad lines; nothing was imported`;
    return [summary, ...parsed.messages, ...(more > 0 ? [`and ${more} more lines`] : [])];
  }
  await withFolderLock(dataDir, { log }, async () => {
    mkdirSync(operatorFolder(dataDir), { recursive: true });
    // The description is written last, because a build ignores references without a description.
    const contents = { tsv: text, json: JSON.stringify(source) };
    for (const extension of ['tsv', 'json'] as const) {
      const target = operatorFile(dataDir, source.id, extension);
      writeFileSync(`${target}.part`, contents[extension]);
      renameSync(`${target}.part`, target);
    }
  });
  log(`${source.title}: ${parsed.references.length} references imported`);
  return null;
}

/** Removes an imported source. Resolves with false if there is no imported source with this identifier. */
export async function removeCrossReferences(
  id: string,
  { dataDir, log }: Pick<ImportOptions, 'dataDir' | 'log'>,
): Promise<boolean> {
  if (!readOperatorSources(dataDir).some((source) => source.id === id)) return false;
  await withFolderLock(dataDir, { log }, async () => {
    for (const extension of ['json', 'tsv'] as const) rmSync(operatorFile(dataDir, id, extension), { force: true });
  });
  return true;
}

/** Returns why a new source must not have this identifier, or null if it may. */
export function checkSourceId(id: string): string | null {
  if (!/^[a-z0-9-]{1,40}$/.test(id)) return '--id must have 1 to 40 lower-case letters, digits and hyphens';
  return moduleSources.some((source) => source.id === id) ? `--id ${id} is the identifier of a built-in source` : null;
}
