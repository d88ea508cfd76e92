import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { partSuffix } from '../data-lock';
import { type FetchOptions, installModule, type SourceModule } from './find-modules';
import { runProgram } from './run-program';

const downloadMs = 5 * 60_000;

/**
 * Debian's packages, by its own programs: apt checks what it downloads, dpkg-deb unpacks it here, nothing is installed
 * and nobody needs to be root. Gives what could not be done, one line for each step; the modules that arrived are in place.
 */
export async function fetchFromDebian(modules: readonly SourceModule[], options: FetchOptions): Promise<string[]> {
  const { dataDir, log } = options;
  // Absolute: the programs run inside this folder.
  const work = resolve(dataDir, 'sources', `debian${partSuffix}`);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  try {
    const packages = modules.map(({ debianPackage }) => debianPackage);
    log(`fetching ${packages.join(', ')} with apt-get download`);
    const failed = await download(packages, work, options);
    if (failed.length > 0) return failed;
    const faults: string[] = [];
    for (const wanted of modules) faults.push(...(await unpack(wanted, work, options)));
    return faults;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** With the machine's package lists; where it has none, with private ones. */
async function download(packages: readonly string[], work: string, { env, log }: FetchOptions): Promise<string[]> {
  const plain = await runProgram('apt-get', ['download', ...packages], { cwd: work, timeoutMs: downloadMs, env });
  if (plain.code === 0) return [];
  const faults = [`apt-get download ${packages.join(' ')}: ${plain.tail}`];
  if (plain.code === null) return faults;
  const lists = join(work, 'apt', 'lists');
  const cache = join(work, 'apt', 'cache');
  for (const folder of [join(lists, 'partial'), join(cache, 'archives', 'partial')])
    mkdirSync(folder, { recursive: true });
  const own = ['-o', `Dir::State::lists=${lists}`, '-o', `Dir::Cache=${cache}`];
  log('no package lists that serve: fetching private ones (apt-get update)');
  const update = await runProgram('apt-get', [...own, 'update'], { cwd: work, timeoutMs: downloadMs, env });
  if (update.code !== 0) return [...faults, `apt-get update: ${update.tail}`];
  const again = await runProgram('apt-get', [...own, 'download', ...packages], {
    cwd: work,
    timeoutMs: downloadMs,
    env,
  });
  return again.code === 0 ? [] : [...faults, `apt-get download with private package lists: ${again.tail}`];
}

async function unpack(wanted: SourceModule, work: string, { dataDir, env }: FetchOptions): Promise<string[]> {
  const file = readdirSync(work).find((name) => name.startsWith(`${wanted.debianPackage}_`) && name.endsWith('.deb'));
  if (!file) return [`apt-get download gave no ${wanted.debianPackage}_*.deb`];
  const root = join(work, wanted.module);
  const result = await runProgram('dpkg-deb', ['-x', join(work, file), root], { cwd: work, timeoutMs: 60_000, env });
  if (result.code !== 0) return [`dpkg-deb -x ${file}: ${result.tail}`];
  return installModule(join(root, 'usr', 'share', 'sword'), wanted, dataDir, file);
}
