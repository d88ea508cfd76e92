// Checks another commit out beside this checkout, builds it, and builds its data.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { failure } from '../../scripts/command-line.mjs';

/** The number of lines that are shown of the output of a command that failed. */
const shownLines = 30;

/** Returns the full hash of a commit. Throws a failure if the repository does not have the commit. */
export function findCommit(root, commit) {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw failure(`The repository has no commit '${commit}'. \`git log\` lists the commits.`);
  return stdout.trim();
}

/**
 * Prepares a checkout of the commit `sha` in the folder `commitsDir`, unless an earlier run did. Returns its path. The
 * compiled SQLite and the downloaded texts of this checkout are copied where they fit.
 *
 * @param {{ root: string, dataDir: string, commitsDir: string, sha: string, say: (line: string) => void }} options
 *   `root` and `dataDir` are the folder and the data of this checkout
 */
export function prepareCheckout({ root, dataDir, commitsDir, sha, say }) {
  const folder = join(commitsDir, sha);
  const stamp = join(folder, '.lectern-compare-commits');
  if (existsSync(stamp)) return folder;
  const run = (title, cwd, program, args) => {
    say(title);
    const log = join(commitsDir, `${sha}.log`);
    const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });
    if (status === 0) return;
    writeFileSync(log, `${stdout}${stderr}`);
    const lines = `${stdout}${stderr}`.trimEnd().split('\n').slice(-shownLines);
    throw failure(...lines, `\`${program} ${args.join(' ')}\` failed in ${cwd}. The whole log: ${log}`);
  };
  mkdirSync(commitsDir, { recursive: true });
  if (!existsSync(join(folder, 'package.json')))
    // Twice `--force`: an earlier folder of this worktree may have been deleted.
    run(`checking out ${sha} in ${folder}`, root, 'git', ['worktree', 'add', '-f', '-f', '--detach', folder, sha]);
  run('installing its packages (about a minute)', folder, 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  if (sqliteVersion(folder) === sqliteVersion(root)) {
    const compiled = join('node_modules', 'better-sqlite3', 'build', 'Release', 'better_sqlite3.node');
    mkdirSync(dirname(join(folder, compiled)), { recursive: true });
    copyFileSync(join(root, compiled), join(folder, compiled));
  } else run('compiling its SQLite (up to two minutes)', folder, 'npm', ['rebuild', 'better-sqlite3']);
  run('building it (half a minute)', folder, 'npm', ['run', 'build']);
  // The downloaded texts. Those that another version of a package contains are downloaded again.
  if (!existsSync(join(folder, 'data', 'sources')))
    cpSync(join(dataDir, 'sources'), join(folder, 'data', 'sources'), { recursive: true });
  run('building its data (a minute)', folder, 'npm', ['run', 'data']);
  writeFileSync(stamp, '');
  return folder;
}

const sqliteVersion = (folder) =>
  JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages['node_modules/better-sqlite3']?.version;

/** Describes the checkout that runs this benchmark, such as `c872cf76 with uncommitted changes`. */
export function describeCheckout(root) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const isDirty = git('status', '--porcelain', '--untracked-files=no') !== '';
  return `${git('rev-parse', '--short', 'HEAD')}${isDirty ? ' with uncommitted changes' : ''}`;
}
