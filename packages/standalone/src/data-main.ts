import { parseArgs } from 'node:util';
import { runCommand } from '@lectern/serving';

const usage = `Usage: npm run data -- [--check] [--jobs N] [--verbose]

Fetches the texts and builds all indexes that are missing, damaged or out of date. After a kill, the same command continues.

  --check     only say what is out of date; exit code 1 if something is
  --jobs N    how many translations are indexed at the same time (default: the number of cores)
  --verbose   also list the references of the reference works that name no verse
  --help      this text`;

/** Parses the command line. Throws an error that says what is wrong. */
function parseOptions() {
  const isSet = { type: 'boolean' } as const;
  const help = { type: 'boolean', short: 'h' } as const;
  const { values } = parseArgs({ options: { check: isSet, jobs: { type: 'string' }, verbose: isSet, help } });
  const jobs = values.jobs === undefined ? undefined : Number(values.jobs);
  if (jobs !== undefined && !(Number.isInteger(jobs) && jobs >= 1 && jobs <= 256))
    throw new Error(`--jobs must be a whole number from 1 to 256, not '${values.jobs}'`);
  return { isHelp: values.help === true, isCheck: values.check === true, isVerbose: values.verbose === true, jobs };
}

async function main(options: ReturnType<typeof parseOptions>): Promise<number> {
  if (options.isHelp) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  // The imports are dynamic, because loading the code that builds all indexes takes longer than printing the help.
  const [{ readDataConfig }, { buildData, findStaleData }] = await Promise.all([
    import('./config.js'),
    import('./data.js'),
  ]);
  const { LECTERN_DATA: dataDir } = readDataConfig(process.env);
  const upToDate = `Everything in ${dataDir} is up to date.`;
  if (options.isCheck) {
    const stale = await findStaleData(dataDir, process.env);
    process.stdout.write(`${stale.join('\n') || upToDate}\n`);
    return stale.length > 0 ? 1 : 0;
  }
  const log = (line: string) => process.stderr.write(`${line}\n`);
  await buildData({ dataDir, env: process.env, log, jobs: options.jobs });
  if (options.isVerbose) {
    const { listUnresolvedReferences } = await import('@lectern/study');
    for (const line of listUnresolvedReferences(dataDir)) log(line);
  }
  log(upToDate);
  return 0;
}

runCommand(async () => {
  let options: ReturnType<typeof parseOptions>;
  try {
    options = parseOptions();
  } catch (error) {
    process.stderr.write(`npm run data: ${(error as Error).message}; see npm run data -- --help\n`);
    return 2;
  }
  return main(options);
});
