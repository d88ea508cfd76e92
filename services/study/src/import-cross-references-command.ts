import { exitWithReason } from '@lectern/serving';
import { buildStudyData } from './build/build-study-data';
import { importCrossReferences, removeCrossReferences } from './build/import-cross-references';
import { readConfig } from './config';
import { type ImportCommand, parseImportCommand, usage } from './parse-import-command';

/** Runs the command. Returns the exit code: 0 success, 1 failure, 2 a usage error. */
async function run(command: ImportCommand): Promise<number> {
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

run(parseImportCommand(process.argv.slice(2))).then((code) => {
  process.exitCode = code;
}, exitWithReason);
