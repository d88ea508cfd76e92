import { parseArgs } from 'node:util';
import { buildStudyData } from './build/build';
import { checkSourceId, importCrossReferences, removeCrossReferences } from './build/import-references';
import type { OperatorSource } from './build/sources';
import { readConfig } from './config';

const usage = `Usage: npm run study -- import FILE --id ID --title TEXT --licence TEXT [options]
       npm run study -- import --remove ID

Imports cross references with votes from a tab-separated file in the layout of openbible.info, or those of a SWORD
commentary such as TSK (FILE is its .conf file), or removes them. Then builds the reference works anew.

  --id ID           the identifier that clients see, such as openbible
  --title TEXT      the title of the source
  --licence TEXT    the licence, with the attribution that it asks for
  --author TEXT     the author
  --year NUMBER     the year
  --min-votes N     leave out references with fewer votes (default: 1)
  --help            this text`;

const options = {
  id: { type: 'string' },
  title: { type: 'string' },
  licence: { type: 'string' },
  author: { type: 'string' },
  year: { type: 'string' },
  'min-votes': { type: 'string' },
  remove: { type: 'string' },
  help: { type: 'boolean' },
} as const;

type ImportCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'remove'; readonly id: string }
  | { readonly kind: 'import'; readonly file: string; readonly source: OperatorSource }
  | { readonly kind: 'invalid'; readonly reason: string };

const unnamed = (name = 'nothing'): ImportCommand => ({
  kind: 'invalid',
  reason: `the command is \`import FILE\`, not ${name}`,
});
const maxTextLength = 500;

export function parseImportCommand(args: readonly string[]): ImportCommand {
  const invalid = (reason: string): ImportCommand => ({ kind: 'invalid', reason });
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    if (values.help) return { kind: 'help' };
    if (values.remove !== undefined) return { kind: 'remove', id: values.remove };
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) return invalid('name one FILE');
    const idError = checkSourceId(values.id ?? '');
    if (idError !== null) return invalid(idError);
    const [title, licence, author] = [values.title, values.licence, values.author].map((text) => text?.trim() ?? '');
    if (!title || !licence) return invalid('--title and --licence must not be blank');
    if ([title, licence, author ?? ''].some((text) => text.length > maxTextLength))
      return invalid(`--title, --licence and --author must have at most ${maxTextLength} characters`);
    const year = values.year === undefined ? null : Number(values.year);
    if (year !== null && !(Number.isInteger(year) && year > 0 && year < 10_000))
      return invalid('--year must be a year');
    const minVotes = Number(values['min-votes'] ?? '1');
    if (!Number.isInteger(minVotes)) return invalid('--min-votes must be a whole number');
    const source: OperatorSource = { id: values.id ?? '', title, licence, author: author || null, year, minVotes };
    return { kind: 'import', file, source };
  } catch (error) {
    return invalid((error as Error).message);
  }
}

/** Resolves to the exit status: 0 success, 1 failure, 2 a usage error. */
export async function runImportCommand(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  const command =
    name === 'import' || name === '--help' ? parseImportCommand(name === 'import' ? rest : args) : unnamed(name);
  const log = (line: string) => process.stderr.write(`${line}\n`);
  if (command.kind === 'help') {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  if (command.kind === 'invalid') {
    log(`import: ${command.reason}; --help shows the options`);
    return 2;
  }
  const { LECTERN_DATA: dataDir } = readConfig(process.env);
  if (command.kind === 'remove' && !(await removeCrossReferences(command.id, { dataDir, log }))) {
    log(`import: there is no imported source ${command.id}`);
    return 1;
  }
  const errors = command.kind === 'import' ? await importCrossReferences({ ...command, dataDir, log }) : null;
  if (errors !== null) {
    for (const line of errors) log(line);
    return 1;
  }
  await buildStudyData({ dataDir, log });
  return 0;
}
