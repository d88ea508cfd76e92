import { runCommand } from '@lectern/serving';
import { runExportCommand } from './alignment/export';
import { readConfig } from './config';

runCommand(() =>
  runExportCommand(process.argv.slice(2), {
    dataDir: readConfig(process.env).LECTERN_DATA,
    write: (line) => process.stdout.write(`${line}\n`),
    log: (line) => process.stderr.write(`${line}\n`),
  }),
);
