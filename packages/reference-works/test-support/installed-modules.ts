import { findModules } from '@lectern/corpus';
import { dataDir } from '@lectern/testing';
import { commentaryWorks, topicalBible } from '../src/works';

const works = [topicalBible, ...commentaryWorks];
const log = (line: string) => process.stderr.write(`${line}\n`);
// A module in the data folder is used instead of an installed one, which may have another version.
const found = new Map([
  ...findModules(works, { dataDir, env: process.env, log }).found,
  ...findModules(works, { dataDir, env: {}, swordRoots: [], log }).found,
]);
const missing = works.filter(({ module }) => !found.has(module)).map(({ debianPackage }) => debianPackage);
if (missing.length > 0 && process.env['CI'] === 'true')
  throw new Error(`reference works are missing: apt-get install ${missing.join(' ')}`);
if (missing.length > 0)
  process.stderr.write(`skipped: tests of reference works (apt-get install ${missing.join(' ')})\n`);

/** Skips tests if a reference work is missing. In CI a missing module is an error instead. */
export const describeWithWorks = missing.length > 0 ? describe.skip : describe;

/** Returns the .conf file of a module. Throws an error if the module is missing. */
export function confOf(module: string): string {
  const conf = found.get(module);
  if (conf === undefined) throw new Error(`${module} is missing`);
  return conf;
}
