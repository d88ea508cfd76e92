import { parseArgs } from 'node:util';
import { exitWithReason } from '@lectern/serving';
import { listUnresolvedReferences } from '@lectern/study';
import { readDataConfig } from './config';
import { buildData, findStaleData } from './data';

const usage = `Usage: npm run data -- [--check] [--jobs N] [--verbose]

Fetches the texts and builds all indexes that are missing, damaged or out of date. After a kill, the same command continues.

  --check     only say what is out of date; exit code 1 if something is
  --jobs N    how many translations are indexed at the same time (default: the number of cores)
  --verbose   also list the references of the reference works that name no verse
  --help      this text`;

/** Exits with 0 after the usage for `--help`, and with 2 and the reason for an invalid option. */
function parseOptions() {
  try {
    const isSet = { type: 'boolean' } as const;
    const { values } = parseArgs({ options: { check: isSet, jobs: { type: 'string' }, verbose: isSet, help: isSet } });
    if (values.help) {
      process.stdout.write(`${usage}\n`);
      process.exit(0);
    }
    const jobs = values.jobs === undefined ? undefined : Number(values.jobs);
    if (jobs !== undefined && !(Number.isInteger(jobs) && jobs >= 1 && jobs <= 256))
      throw new Error(`--jobs must be a whole number from 1 to 256, not '${values.jobs}'.`);
    return { isCheck: values.check === true, isVerbose: values.verbose === true, jobs };
  } catch (error) {
    process.stderr.write(`npm run data: ${(error as Error).message}\n`);
    process.exit(2);
  }
}

async function main(): Promise<void> {
  const { isCheck, isVerbose, jobs } = parseOptions();
  const { LECTERN_DATA: dataDir } = readDataConfig(process.env);
  const upToDate = `Everything in ${dataDir} is up to date.`;
  if (isCheck) {
    const stale = await findStaleData(dataDir, process.env);
    process.stdout.write(`${stale.join('\n') || upToDate}\n`);
    process.exitCode = stale.length > 0 ? 1 : 0;
    return;
  }
  const log = (line: string) => process.stderr.write(`${line}\n`);
  await buildData({ dataDir, env: process.env, log, jobs });
  if (isVerbose) for (const line of listUnresolvedReferences(dataDir)) log(line);
  log(upToDate);
}

main().catch(exitWithReason);
