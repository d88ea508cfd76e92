import { numberings } from '@lectern/canon';
import type { Command } from 'commander';
import type { GivenMetadata } from '../resolve-metadata';
import { type FindingKind, findingKinds, isImportError } from '../translation';
import { checkSource, type QualityReport } from './report';

interface OutputOptions {
  json?: boolean;
}

interface Output {
  print: (json: string, lines: readonly string[]) => void;
  log: (line: string) => void;
}

/** The maximum number of findings that are printed of each kind without --all. */
const printedFindings = 20;

export function addCheck(
  addCommand: (name: string, description: string) => Command,
  contextOf: (options: OutputOptions) => Output,
  fail: (exitCode: number) => void,
): void {
  addCommand(
    'check',
    'Reports what is wrong with a source of any format, and imports nothing. Exit codes: 0 nothing, 1 findings, 2 the source cannot be read.',
  )
    .argument('<source>')
    .option('--language <code>', 'ISO 639-3 code, such as eng')
    .option(
      '--numbering <name>',
      `verse numbering: ${numberings.join(', ')} (default: recognized from the last verses of the chapters)`,
    )
    .option('--all', `print all findings, not only ${printedFindings} of each kind`)
    .action(async (source: string, { all = false, language, numbering, ...options }: CheckOptions) => {
      const { print, log } = contextOf(options);
      const given: GivenMetadata = { ...(language && { language }), ...(numbering && { numbering }) };
      try {
        const report = await checkSource(source, given);
        const counts = countKinds(report);
        print(JSON.stringify({ ...report, counts }, null, 2), describeReport(report, counts, all));
        if (report.findings.length > 0) fail(1);
      } catch (error) {
        // Import errors and errors of the operating system, such as a missing permission, are printed. Any other error is a bug.
        if (!isImportError(error) && !(error instanceof Error && 'syscall' in error)) throw error;
        log(`corpus check: ${error.message}`);
        fail(2);
      }
    });
}

type CheckOptions = OutputOptions & { all?: boolean; language?: string; numbering?: string };
type KindCounts = Partial<Record<FindingKind, number>>;

function countKinds({ findings }: QualityReport): KindCounts {
  const counts: KindCounts = {};
  for (const { kind } of findings) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

function describeReport(report: QualityReport, counts: KindCounts, all: boolean): string[] {
  const { source, format, numbering, books, verses, remarks, findings } = report;
  const kinds = (Object.keys(findingKinds) as FindingKind[]).filter((kind) => counts[kind]);
  const lines = kinds.flatMap((kind) => {
    const own = findings.filter((finding) => finding.kind === kind);
    const shown = all ? own : own.slice(0, printedFindings);
    return [
      '',
      `${kind}: ${own.length} ${findingKinds[kind]}`,
      ...shown.map(
        ({ file, line, place, message }) =>
          `  ${[line !== null ? `${file}:${line}` : place === null ? file : null, place, message].filter((part) => part !== null).join(': ')}`,
      ),
      ...(shown.length < own.length ? [`  and ${own.length - shown.length} more (--all)`] : []),
    ];
  });
  return [
    `${source}: ${format}, ${books} books, ${verses} verses, numbering ${numbering}`,
    ...remarks,
    ...lines,
    '',
    ...(counts['unknown-verse'] ? ['If the translation numbers its verses in another way, say --numbering.'] : []),
    findings.length === 0 ? 'nothing found' : `${findings.length} findings`,
  ];
}
