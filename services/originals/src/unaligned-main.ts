import { runCommand } from '@lectern/serving';
import { runUnalignedCommand } from './alignment/unaligned';
import { readConfig } from './config';

runCommand(() =>
  runUnalignedCommand(process.argv.slice(2), {
    dataDir: readConfig(process.env).LECTERN_DATA,
    write: (line) => process.stdout.write(`${line}\n`),
    log: (line) => process.stderr.write(`${line}\n`),
  }),
);
