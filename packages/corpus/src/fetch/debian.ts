import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type FetchOptions, installModule, partSuffix, type SourceModule } from './modules';

const downloadMs = 5 * 60_000;

/**
 * Downloads modules as Debian packages and unpacks them into the data folder, which needs no root
 * permissions. `apt-get download` verifies the packages. Returns one error message for each step
 * that failed.
 */
export async function fetchFromDebian(modules: readonly SourceModule[], options: FetchOptions): Promise<string[]> {
  const { dataDir, log } = options;
  // The path must be absolute, because the programs run in this folder.
  const work = resolve(dataDir, 'sources', `debian${partSuffix}`);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  try {
    const packages = modules.map(({ debianPackage }) => debianPackage);
    log(`fetching ${packages.join(', ')} with apt-get download`);
    const failed = await download(packages, work, options);
    if (failed.length > 0) return failed;
    const errors: string[] = [];
    for (const wanted of modules) errors.push(...(await unpack(wanted, work, options)));
    return errors;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Downloads Debian packages into `work`. If apt-get fails with the package lists of the machine,
 * which may lack the packages, tries again with new lists in `work`.
 */
async function download(packages: readonly string[], work: string, { env, log }: FetchOptions): Promise<string[]> {
  const runApt = (...args: string[]) => tryRunProgram('apt-get', args, { cwd: work, timeoutMs: downloadMs, env });
  const plain = await runApt('download', ...packages);
  if (plain.code === 0) return [];
  const errors = [`apt-get download ${packages.join(' ')}: ${plain.tail}`];
  if (plain.code === null) return errors;
  const lists = join(work, 'apt', 'lists');
  const cache = join(work, 'apt', 'cache');
  for (const folder of [join(lists, 'partial'), join(cache, 'archives', 'partial')])
    mkdirSync(folder, { recursive: true });
  const privateLists = ['-o', `Dir::State::lists=${lists}`, '-o', `Dir::Cache=${cache}`];
  log('the package lists do not have them: fetching private package lists (apt-get update)');
  const update = await runApt(...privateLists, 'update');
  if (update.code !== 0) return [...errors, `apt-get update: ${update.tail}`];
  const again = await runApt(...privateLists, 'download', ...packages);
  return again.code === 0 ? [] : [...errors, `apt-get download with private package lists: ${again.tail}`];
}

async function unpack(wanted: SourceModule, work: string, { dataDir, env }: FetchOptions): Promise<string[]> {
  const file = readdirSync(work).find((name) => name.startsWith(`${wanted.debianPackage}_`) && name.endsWith('.deb'));
  if (!file) return [`apt-get download gave no ${wanted.debianPackage}_*.deb`];
  const root = join(work, wanted.module);
  const result = await tryRunProgram('dpkg-deb', ['-x', join(work, file), root], { cwd: work, timeoutMs: 60_000, env });
  if (result.code !== 0) return [`dpkg-deb -x ${file}: ${result.tail}`];
  return installModule(join(root, 'usr', 'share', 'sword'), wanted, dataDir, file);
}

interface ProgramResult {
  /** The exit code. Null if the program could not be started, or was killed at its deadline. */
  code: number | null;
  /**
   * For an error message: the last three lines of output, and why the program did not start or was
   * killed.
   */
  tail: string;
}

const maxOutputLength = 4_000;

/** Runs a program without a shell. Never throws: the result tells whether the program failed. */
function tryRunProgram(
  command: string,
  args: readonly string[],
  options: { cwd: string; timeoutMs: number; env: NodeJS.ProcessEnv },
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...options.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-maxOutputLength);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    let timedOut = false;
    const deadline = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
    }, options.timeoutMs);
    const finish = (code: number | null, message: string): void => {
      clearTimeout(deadline);
      const lines = output
        .trim()
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
      resolve({ code, tail: [...lines.slice(-3), ...(message === '' ? [] : [message])].join(' | ') });
    };
    child.on('error', (error) =>
      finish(null, (error as NodeJS.ErrnoException).code === 'ENOENT' ? `${command} is not installed` : error.message),
    );
    child.on('close', (code) =>
      finish(timedOut ? null : code, timedOut ? `stopped after ${options.timeoutMs / 1000} seconds` : ''),
    );
  });
}
