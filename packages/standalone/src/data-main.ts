import { exitWithReason } from '@lectern/serving';
import { buildData } from './build-data';
import { readDataConfig } from './config';

async function main(): Promise<void> {
  const { LECTERN_DATA: dataDir } = readDataConfig(process.env);
  const log = (line: string) => process.stderr.write(`${line}\n`);
  await buildData({ dataDir, env: process.env, log });
  log(`Everything in ${dataDir} is up to date.`);
}

main().catch(exitWithReason);
