import {
  type BookCode,
  chapterEnds,
  formatPlace,
  listReferences,
  numberingShape,
  numberings,
  placeOf,
  verseOrdinal,
} from '@lectern/canon';
import type { Command } from 'commander';
import { importSource } from './import';
import type { GivenMetadata } from './resolve-metadata';
import {
  countFindings,
  type DraftTranslation,
  type DraftVerse,
  type Finding,
  type FindingKind,
  findingKinds,
  isImportError,
  isSystemError,
} from './translation';

export const numberingOption: [flags: string, description: string] = [
  '--numbering <name>',
  `verse numbering: ${numberings.join(', ')} (default: recognized from the last verses of the chapters)`,
];

export const keepGoingOption: [flags: string, description: string] = [
  '--keep-going',
  'leave out a verse that cannot be stored, such as one with damaged characters, and name it (default: reject the source)',
];

interface Output {
  print: (json: string, lines: readonly string[]) => void;
  log: (line: string) => void;
}

/** The maximum number of findings that are printed of each kind without --all. */
const printedFindings = 20;

export function addCheck(
  addCommand: (name: string, description: string) => Command,
  contextOf: (options: { json?: boolean; data?: string }) => Output,
  fail: (exitCode: number) => void,
): void {
  addCommand(
    'check',
    'Reports what is wrong with a source of any format, and imports nothing. Exit codes: 0 nothing, 1 findings, 2 the source cannot be read.',
  )
    .argument('<source>')
    .option('--language <code>', 'ISO 639-3 code, such as eng')
    .option(...numberingOption)
    .option(...keepGoingOption)
    .option('--all', `print all findings, not only ${printedFindings} of each kind`)
    .action(async (source: string, { all = false, json, data, ...given }: CheckOptions) => {
      const { print, log } = contextOf({ json, data });
      try {
        const report = await checkSource(source, given);
        const counts = countFindings(report.findings);
        print(JSON.stringify({ ...report, counts }, null, 2), describeReport(report, counts, all));
        if (report.findings.length > 0) fail(1);
      } catch (error) {
        if (!isImportError(error) && !isSystemError(error)) throw error;
        log(`corpus check: ${error.message}`);
        fail(2);
      }
    });
}

type CheckOptions = GivenMetadata & { json?: boolean; data?: string; all?: boolean };
type KindCounts = ReturnType<typeof countFindings>;

function describeReport(report: QualityReport, counts: KindCounts, all: boolean): string[] {
  const { source, format, numbering, books, verses, remarks, findings } = report;
  const kinds = (Object.keys(findingKinds) as FindingKind[]).filter((kind) => counts[kind]);
  const lines = kinds.flatMap((kind) => {
    // A finding of the whole edition comes last, so that it does not hide those of single verses.
    const own = findings.filter((finding) => finding.kind === kind).sort((a, b) => (a.count ?? 1) - (b.count ?? 1));
    const shown = all ? own : own.slice(0, printedFindings);
    return [
      '',
      `${kind}: ${counts[kind]} (${findingKinds[kind]})`,
      ...shown.map(
        ({ file, line, place, message, count }) =>
          `  ${[line !== null ? `${file}:${line}` : place === null ? file : null, place, message].filter((part) => part !== null).join(': ')}${count === undefined ? '' : `, and ${count - 1} times more`}`,
      ),
      ...(shown.length < own.length ? [`  and ${own.length - shown.length} more (--all)`] : []),
    ];
  });
  return [
    `${source}: ${format}, books: ${books}, verses: ${verses}, numbering: ${numbering}`,
    ...remarks,
    ...lines,
    '',
    ...(counts['unknown-verse'] ? ['If the translation numbers its verses in another way, say --numbering.'] : []),
    findings.length === 0
      ? 'nothing found'
      : `findings: ${Object.values(counts).reduce((sum, count) => sum + count, 0)}`,
  ];
}

export interface QualityReport {
  source: string;
  format: string;
  numbering: string;
  books: number;
  verses: number;
  /** Messages about text that an import leaves out without an error. */
  remarks: readonly string[];
  findings: readonly Finding[];
}

/** Reports a finding about a verse, a chapter or a book of the source. */
type Report = (kind: FindingKind, ordinal: number, message: string, place?: string) => void;

/** Reads a source of any format as an import does, and stores nothing. Throws an ImportError. */
export async function checkSource(source: string, given: GivenMetadata): Promise<QualityReport> {
  // A check works without an identifier and a language: the code `qaa` is reserved for private use.
  const draft = await importSource(source, { identifier: 'checked', language: 'qaa', ...given });
  const findings = [...draft.findings];
  const report: Report = (kind, ordinal, message, place = formatPlace(placeOf(ordinal))) => {
    const { file, line } = draft.positions.get(ordinal) ?? { file: source, line: null };
    findings.push({ kind, place, message, file, line });
  };
  const byBook = new Map<BookCode, DraftVerse[]>();
  for (const verse of draft.verses) {
    const { book } = placeOf(verse.ordinal);
    const verses = byBook.get(book) ?? [];
    verses.push(verse);
    byBook.set(book, verses);
  }
  for (const [book, verses] of byBook) {
    checkNumbering(draft, book, verses, report);
    checkPairs(verses, report);
  }
  for (const { ordinal, text } of draft.verses) checkText(ordinal, text, report);
  checkTargets(draft, report);
  return {
    source,
    format: draft.source.format,
    numbering: draft.numbering,
    books: byBook.size,
    verses: draft.verses.length,
    remarks: draft.remarks.filter((remark) => /^(?:not supported|books beyond|left out|numbers)/.test(remark)),
    findings: collapseFindings(findings),
  };
}

/** The kinds whose message names a mark or a word. A whole edition may have the same mark. */
const collapsedKinds: ReadonlySet<FindingKind> = new Set(['markup', 'marker', 'scripts', 'quotes', 'note']);
/** How many findings with the same message are listed. If there are more, they become one with their number. */
const maxAlike = 100;

function collapseFindings(findings: readonly Finding[]): Finding[] {
  const counts = new Map<string, number>();
  for (const { kind, message } of findings)
    if (collapsedKinds.has(kind)) counts.set(message, (counts.get(message) ?? 0) + 1);
  return findings.flatMap((finding) => {
    const count = counts.get(finding.message) ?? 0;
    if (count <= maxAlike) return [finding];
    counts.set(finding.message, Infinity);
    return count === Infinity ? [] : [{ ...finding, count }];
  });
}

/** Compares a book with the numbering. Consecutive chapters or verses of a chapter that are missing are one finding. */
function checkNumbering(
  { numbering, positions, versification }: DraftTranslation,
  book: BookCode,
  verses: readonly DraftVerse[],
  report: Report,
): void {
  const ends = chapterEnds(numbering, book).map((end, index) => versification?.ends.get(`${book} ${index + 1}`) ?? end);
  const own = verses.map(({ ordinal }) => ordinal);
  const [first = 0] = own;
  const present = new Set([...own, ...positions.keys(), ...(versification?.leftOut ?? [])]);
  const missingChapters: number[] = [];
  for (const [index, count] of ends.entries()) {
    const chapter = index + 1;
    const numbers = Array.from({ length: count }, (_, at) => at + 1);
    const missing = numbers.filter((verse) => !present.has(verseOrdinal({ book, chapter, verse })));
    if (missing.length === count && count > 0) missingChapters.push(chapter);
    else
      for (const [first, run] of runsOf(missing))
        report(
          'missing-verse',
          verseOrdinal({ book, chapter, verse: first }),
          `chapter ${chapter} has ${count} verses`,
          `${book} ${chapter}:${run}`,
        );
  }
  for (const [, run] of runsOf(missingChapters))
    report('missing-verse', first, `the chapter${run.includes('-') ? 's are' : ' is'} missing`, `${book} ${run}`);
  for (const ordinal of own) {
    const { chapter, verse } = placeOf(ordinal);
    const count = ends[chapter - 1];
    if (count === undefined) report('unknown-verse', ordinal, `${book} has chapters up to ${ends.length}`);
    else if (verse > count) report('unknown-verse', ordinal, `chapter ${chapter} has ${count} verses`);
  }
}

/** Returns the first number of each run of consecutive numbers, and the run, such as "3" or "3-7". */
function runsOf(numbers: readonly number[]): [first: number, run: string][] {
  const isStart = (number: number, index: number): boolean => numbers[index - 1] !== number - 1;
  const ends = numbers.filter((number, index) => numbers[index + 1] !== number + 1);
  return numbers
    .filter(isStart)
    .map((first, index) => [first, first === ends[index] ? `${first}` : `${first}-${ends[index]}`]);
}

// Scripts that put spaces between words. In other scripts, such as Chinese, letters may touch Latin letters.
const scripts = 'Latin Greek Cyrillic Hebrew Arabic Armenian Georgian Ethiopic Devanagari Bengali'
  .split(' ')
  .map((name) => ({ name, letter: new RegExp(`\\p{Script=${name}}`, 'u') }));

function checkText(ordinal: number, text: string, report: Report): void {
  const left = Array.from(text.matchAll(/\\\S*|<\/?[a-z]\w*|<|&\w+;|[{}|]/g), ([mark]) => mark.slice(0, 20));
  for (const mark of new Set(left)) report('markup', ordinal, `'${mark}' is left in the text`);
  if (text.includes('\uFFFD')) report('encoding', ordinal, 'it holds U+FFFD, which replaces an unreadable character');
  const found = scripts.filter(({ letter }) => letter.test(text));
  if (found.length < 2) return;
  for (const [word] of text.matchAll(/[\p{L}\p{M}]+/gu)) {
    const names = found.filter(({ letter }) => letter.test(word)).map(({ name }) => name);
    if (names.length > 1) report('scripts', ordinal, `'${word.slice(0, 40)}' mixes ${names.join(' and ')}`);
  }
}

/**
 * Reports cross references without links that name no verse, or a verse that does not exist. Does nothing if the
 * reference parser finds no verse in more than half of them, because then it does not know their language.
 */
function checkTargets({ verses, numbering }: DraftTranslation, report: Report): void {
  const shape = numberingShape(numbering);
  const notes = verses.flatMap(({ ordinal, layout }: DraftVerse) =>
    layout.notes.flatMap(({ kind, text, links }) =>
      kind === 'CROSS_REFERENCE' && !links ? [{ ordinal, text, targets: listReferences(text, shape) }] : [],
    ),
  );
  const withoutTarget = notes.filter(({ targets }) => targets.length === 0);
  if (withoutTarget.length * 2 > notes.length) return;
  for (const { ordinal, text } of withoutTarget)
    report('note', ordinal, `the cross reference '${text.slice(0, 60)}' names no verse`);
  for (const { ordinal, text } of notes.filter(({ targets }) => targets.some(({ status }) => status !== 'OK')))
    report('note', ordinal, `the cross reference '${text.slice(0, 60)}' names a verse that does not exist`);
}

interface Mark {
  mark: string;
  ordinal: number;
}

/** Returns the closing marks of each opening quotation mark. Some texts use marks in reverse: „...“ and »...«. */
function quotationMarks(text: string): ReadonlyMap<string, string> {
  if (text.includes('„')) return new Map([['„', '“”']]);
  const isReversed = text.indexOf('»') >= 0 && text.indexOf('»') < text.indexOf('«');
  return new Map([['“', '”'], isReversed ? ['»', '«'] : ['«', '»']]);
}

const brackets = new Map([
  ['(', ')'],
  ['[', ']'],
]);

/**
 * Reports double quotation marks and brackets in a book that have no partner. Speech may span chapters, and each of its
 * paragraphs, lines or verses may begin with the opening mark again.
 */
function checkPairs(
  verses: readonly DraftVerse[],
  report: (kind: 'quotes', ordinal: number, message: string) => void,
): void {
  const quotes = quotationMarks(verses.map(({ text }) => text).join(' '));
  const openQuotes: Mark[] = [];
  const openBrackets: Mark[] = [];
  const close = (open: Mark[], mark: string, isPartner: (opening: string) => boolean, ordinal: number): void => {
    const last = open.at(-1);
    if (last && isPartner(last.mark)) open.pop();
    else report('quotes', ordinal, `'${mark}' closes nothing`);
  };
  for (const { ordinal, text, layout } of verses) {
    const starts = new Set([0, ...layout.breaks.map(({ start }) => start)]);
    for (const { 0: mark, index } of text.matchAll(/[“”„«»()[\]]/g)) {
      // The bracket in "a)" marks an item of a list, so it needs no opening bracket.
      const isPoint = mark === ')' && openBrackets.length === 0 && /(?:^|\s)\w{1,2}$/.test(text.slice(0, index));
      if (quotes.has(mark)) {
        if (!starts.has(index) || openQuotes.length === 0) openQuotes.push({ mark, ordinal });
      } else if ([...quotes.values()].some((closing) => closing.includes(mark)))
        close(openQuotes, mark, (opening) => quotes.get(opening)?.includes(mark) === true, ordinal);
      else if (brackets.has(mark)) openBrackets.push({ mark, ordinal });
      else if (/[)\]]/.test(mark) && !isPoint)
        close(openBrackets, mark, (opening) => brackets.get(opening) === mark, ordinal);
    }
  }
  for (const { mark, ordinal } of [...openQuotes, ...openBrackets])
    report('quotes', ordinal, `'${mark}' is not closed in the book`);
}
