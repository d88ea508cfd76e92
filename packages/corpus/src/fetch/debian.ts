import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type FetchOptions, installModule, type SourceModule, withWorkFolder } from './modules';

const downloadMs = 5 * 60_000;

interface DebianPackage {
  readonly debianPackage: string;
  /** Moves unpacked files to the data folder. Returns a message for each problem, which names the package `file`. */
  readonly install: (root: string, file: string) => string[];
}

export const fetchFromDebian = (modules: readonly SourceModule[], options: FetchOptions): Promise<string[]> =>
  fetchPackages(
    modules.map((wanted) => ({
      debianPackage: wanted.debianPackage,
      install: (root, file) => installModule(join(root, 'usr', 'share', 'sword'), wanted, options.dataDir, file),
    })),
    options,
  );

/**
 * Downloads Debian packages and unpacks them into the data folder, which needs no root permissions.
 * `apt-get download` verifies the packages. Returns one error message for each step that failed.
 */
export const fetchPackages = (wanted: readonly DebianPackage[], options: FetchOptions): Promise<string[]> =>
  withWorkFolder(options.dataDir, 'debian', async (work) => {
    const packages = wanted.map(({ debianPackage }) => debianPackage);
    options.log(`fetching ${packages.join(', ')} with apt-get download`);
    const errors = await download(packages, work, options);
    if (errors.length === 0) for (const each of wanted) errors.push(...(await unpack(each, work, options)));
    return errors;
  });

async function download(packages: readonly string[], work: string, { env, log }: FetchOptions): Promise<string[]> {
  const runApt = (...args: string[]) => tryRunProgram('apt-get', args, work, downloadMs, env);
  const plain = await runApt('download', ...packages);
  if (plain.kind === 'success') return [];
  const errors = [`apt-get download ${packages.join(' ')}: ${plain.reason}`];
  if (plain.kind === 'stopped') return errors;
  const lists = join(work, 'apt', 'lists');
  const cache = join(work, 'apt', 'cache');
  mkdirSync(join(lists, 'partial'), { recursive: true });
  mkdirSync(join(cache, 'archives', 'partial'), { recursive: true });
  const privateLists = ['-o', `Dir::State::lists=${lists}`, '-o', `Dir::Cache=${cache}`];
  log('the package lists do not have them: fetching private package lists (apt-get update)');
  const update = await runApt(...privateLists, 'update');
  if (update.kind !== 'success') return [...errors, `apt-get update: ${update.reason}`];
  const again = await runApt(...privateLists, 'download', ...packages);
  return again.kind === 'success' ? [] : [...errors, `apt-get download with private package lists: ${again.reason}`];
}

async function unpack(
  { debianPackage, install }: DebianPackage,
  work: string,
  { env }: FetchOptions,
): Promise<string[]> {
  const file = readdirSync(work).find((name) => name.startsWith(`${debianPackage}_`) && name.endsWith('.deb'));
  if (!file) return [`apt-get download gave no ${debianPackage}_*.deb`];
  const root = join(work, debianPackage);
  const result = await tryRunProgram('dpkg-deb', ['-x', join(work, file), root], work, 60_000, env);
  if (result.kind !== 'success') return [`dpkg-deb -x ${file}: ${result.reason}`];
  return install(root, file);
}

/** `failure`: the program ended with an error. `stopped`: it could not be started, or was killed at its deadline. */
type ProgramResult = { kind: 'success' } | { kind: 'failure' | 'stopped'; reason: string };

/** Runs a program without a shell. If it fails, the reason has the last three lines of its output. */
function tryRunProgram(
  command: string,
  args: readonly string[],
  cwd: string,
  timeout: number,
  env: NodeJS.ProcessEnv,
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const options = { cwd, timeout, killSignal: 'SIGKILL', env: { ...env, LC_ALL: 'C' } } as const;
    execFile(command, args, options, (error, stdout, stderr) => {
      if (!error) return resolve({ kind: 'success' });
      const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim());
      const tail = lines.filter((line) => line !== '').slice(-3);
      if (typeof error.code === 'number') return resolve({ kind: 'failure', reason: tail.join(' | ') });
      const message = error.killed ? `stopped after ${timeout / 1000} seconds` : error.message;
      tail.push(error.code === 'ENOENT' ? `${command} is not installed` : message);
      resolve({ kind: 'stopped', reason: tail.join(' | ') });
    });
  });
}
