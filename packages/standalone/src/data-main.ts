import { exitWithReason } from '@lectern/serving';
import { buildData } from './build-data';

const dataDir = process.env['LECTERN_DATA'] ?? 'data';

buildData({ dataDir, env: process.env, log: (line) => process.stderr.write(`${line}\n`) }).then(
  () => process.stderr.write(`Everything in ${dataDir} is up to date.\n`),
  exitWithReason,
);
