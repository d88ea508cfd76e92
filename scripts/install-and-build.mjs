// Installs the dependencies and compiles the sources, if they have changed since the last time.
// This file imports only Node's own modules, because it runs before anything is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const nodeModules = join(root, 'node_modules');
/** The folder that records the last installation and the last build. */
const stampFolder = join(nodeModules, '.lectern');
const isWindows = process.platform === 'win32';
const npmProgram = isWindows ? 'npm.cmd' : 'npm';

/** Turns off telemetry of the tools and the download of ONNX Runtime's CUDA libraries. */
const toolSettings = {
  APOLLO_TELEMETRY_DISABLED: '1',
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
  ORT_DISABLE_TELEMETRY: '1',
  ONNXRUNTIME_NODE_INSTALL: 'skip',
};

/** The workspace whose dependencies suffice to build and run the service. */
const service = '@lectern/standalone';
/** A small workspace that depends on better-sqlite3. It is installed first, so that compiling SQLite begins early. */
const sqliteUser = '@lectern/data-files';

/**
 * Installs and builds workspaces and their dependencies, or with `checks` all workspaces. Exits the process with a message
 * if either fails.
 */
export async function prepare({ checks = false, workspaces: names = [service] } = {}) {
  requireNodeVersion();
  process.chdir(root);
  Object.assign(process.env, toolSettings);
  const scope = checks ? 'all' : widenToInstalled(names);
  const install = isUpToDate('installed', installFingerprint(scope)) ? null : startInstall(scope);
  await install?.packages;
  if (!isUpToDate('built', buildFingerprint(scope), hasBuildOutput(scope))) {
    await build(scope);
    writeStamp('built', buildFingerprint(scope));
  }
  if (install === null) return;
  // Compiling SQLite takes one to two minutes. It began with the installation, and is awaited only
  // after the build.
  const message = setTimeout(() => say('Waiting for SQLite to compile (only once; up to two minutes)'), 1000);
  await install.sqlite.finally(() => clearTimeout(message));
  writeStamp('installed', installFingerprint(scope));
}

function requireNodeVersion() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 12))
    stop(`Lectern needs Node 20.12 or newer; this is ${process.version}. See https://nodejs.org`);
}

/**
 * The names of the workspaces to install and build, or all workspaces.
 * @typedef {'all' | string[]} Scope
 */

/**
 * Adds the workspaces that are installed already. Without them, npm would remove programs that are in use.
 *
 * @param {string[]} names
 * @returns {Scope}
 */
function widenToInstalled(names) {
  if (existsSync(join(nodeModules, 'jest'))) return 'all';
  const stamp = join(stampFolder, 'installed');
  const [installed = ''] = existsSync(stamp) ? readFileSync(stamp, 'utf8').split(' ') : [];
  return [...new Set([...installed.split(',').filter((name) => name.startsWith('@lectern/')), ...names])].sort();
}

/** @param {Scope} scope */
const installFingerprint = (scope) => `${scope} ${digest(['package-lock.json'])}`;

/**
 * Starts the installation. The promise `packages` resolves when npm has finished. The promise `sqlite` resolves when
 * better-sqlite3 can be loaded, or at once if the scope does not include the service.
 */
function startInstall(/** @type {Scope} */ scope) {
  const isInstalled = existsSync(join(nodeModules, '.package-lock.json'));
  say(isInstalled ? 'Checking the installed dependencies' : 'Installing the dependencies (once; about a minute)');
  const workspaces =
    scope === 'all' ? [] : ['--include-workspace-root', ...scope.flatMap((name) => ['--workspace', name])];
  // `npm install` adds to the installed modules. `npm ci` would delete modules that running processes still load.
  const installPackages = () => npm('install', '--no-save', ...workspaces).then(removeForeignPrograms);
  if (!scope.includes(service) && scope !== 'all') return { packages: installPackages(), sqlite: Promise.resolve() };
  if (isInstalled) {
    const packages = installPackages();
    return { packages, sqlite: packages.then(compileSqlite) };
  }
  // `npm ci` verifies the lock file. It installs only the small workspace, so that compiling SQLite starts early.
  const first = npm('ci', '--workspace', sqliteUser);
  return { packages: first.then(installPackages), sqlite: first.then(compileSqlite) };
}

async function npm(command, ...args) {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = await run(npmProgram, [command, ...args, ...flags]);
  if (status !== 0) stop('The dependencies could not be installed. The messages of npm above give the reason.');
}

/**
 * Downloads better-sqlite3's compiled file, or compiles it if there is none for this system.
 * The compiler uses the headers beside the node program, if there are any, because node-gyp would
 * download the headers.
 */
async function compileSqlite() {
  if (sqliteLoads()) return;
  const prefix = dirname(dirname(process.execPath));
  const headers = existsSync(join(prefix, 'include', 'node', 'node.h')) ? { npm_config_nodedir: prefix } : {};
  const { status, output } = await run(npmProgram, ['rebuild', 'better-sqlite3', '--loglevel=error'], {
    // -O2 takes three quarters of the time of node-gyp's -O3, and SQLite is as fast with it.
    env: { npm_config_jobs: 'max', CFLAGS: '-O2', ...headers },
    quiet: true,
  });
  if (status === 0 && sqliteLoads()) return;
  stop(
    output,
    status === 0 ? 'The SQLite module was installed but cannot be loaded.' : 'better-sqlite3 could not be compiled.',
    "The compilation needs python3, make, a C++ compiler and node's header files.",
    '  Debian, Ubuntu: apt-get install python3 make g++     Fedora: dnf install python3 make gcc-c++     macOS: xcode-select --install',
  );
}

function sqliteLoads() {
  try {
    const Database = createRequire(join(root, 'packages', 'data-files', 'package.json'))('better-sqlite3');
    new Database(':memory:').close();
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes the programs of other operating systems and processors, which onnxruntime-node and
 * relay-compiler contain: 310 MB.
 */
function removeForeignPrograms() {
  const onnx = join(nodeModules, 'onnxruntime-node', 'bin');
  for (const file of existsSync(onnx) ? readdirSync(onnx, { recursive: true }).map(String) : []) {
    const [, system, architecture] = file.split(sep);
    const isForeign = system !== process.platform || architecture !== process.arch;
    if (architecture !== undefined && isForeign) rmSync(join(onnx, file), { recursive: true, force: true });
  }
  const relay = join(nodeModules, 'relay-compiler');
  const own = `${{ darwin: 'macos', win32: 'win' }[process.platform] ?? process.platform}-${process.arch}`;
  for (const name of existsSync(relay) ? readdirSync(relay) : [])
    if (/^(linux|macos|win)-/.test(name) && name !== own) rmSync(join(relay, name), { recursive: true, force: true });
}

/** Builds the workspaces of the scope and the workspaces that they depend on. */
async function build(/** @type {Scope} */ scope) {
  say('Compiling');
  const filters = scope === 'all' ? [] : scope.map((name) => `--filter=${name}`);
  const turbo = join(nodeModules, 'turbo', 'bin', 'turbo');
  const args = [turbo, 'run', 'build', ...filters, '--output-logs=errors-only', '--log-order=stream'];
  const { status, output } = await run(process.execPath, args, { quiet: true });
  if (status !== 0) stop(output, 'The sources do not compile. The messages of the compiler above give the reason.');
}

/**
 * Lists the folders of the workspaces to compile: those of the scope, and the workspaces that they
 * depend on. Examples are left out, because Vite compiles them when they start.
 */
function workspaces(/** @type {Scope} */ scope) {
  const inside = (folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(folder, entry.name));
  const manifests = new Map(
    ['gateway', ...['packages', 'services', 'examples'].flatMap(inside)]
      .filter((folder) => existsSync(join(root, folder, 'package.json')))
      .map((folder) => ({ folder, ...JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) }))
      .map((manifest) => [manifest.name, manifest]),
  );
  const names = new Set(scope === 'all' ? manifests.keys() : scope);
  // A set that grows while it is read also yields its new elements.
  for (const name of names)
    for (const dependency of Object.keys(manifests.get(name).dependencies ?? {}))
      if (manifests.has(dependency)) names.add(dependency);
  return [...names]
    .map((name) => manifests.get(name).folder)
    .filter((folder) => !folder.startsWith(`examples${sep}`))
    .sort();
}

/** @param {Scope} scope */
const hasBuildOutput = (scope) => workspaces(scope).every((workspace) => existsSync(join(root, workspace, 'dist')));

/** Hashes the size and time of each source file, which is faster than reading the files. */
function buildFingerprint(/** @type {Scope} */ scope) {
  const hash = createHash('sha256').update(digest(['package-lock.json', 'tsconfig.json']));
  for (const workspace of workspaces(scope)) {
    hash.update(workspace);
    for (const file of sourceFiles(workspace)) {
      const { size, mtimeMs } = statSync(join(root, workspace, file));
      hash.update(`${file} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}

/**
 * Lists the files that a build reads: src, browser, and .mjs, .json and .graphql files at the top
 * of the workspace.
 */
function sourceFiles(workspace) {
  const inside = (folder) =>
    existsSync(join(root, workspace, folder))
      ? readdirSync(join(root, workspace, folder), { recursive: true }).map((file) => join(folder, String(file)))
      : [];
  const atTop = readdirSync(join(root, workspace)).filter((file) => /\.(mjs|json|graphql)$/.test(file));
  return [...inside('src'), ...inside('browser'), ...atTop].sort();
}

function digest(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** Returns whether the fingerprint equals the one that the last successful run wrote. */
function isUpToDate(name, fingerprint, hasOutput = true) {
  const stamp = join(stampFolder, name);
  return hasOutput && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint;
}

function writeStamp(name, fingerprint) {
  mkdirSync(stampFolder, { recursive: true });
  writeFileSync(join(stampFolder, name), fingerprint);
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/**
 * Runs a program. Its output goes to standard error, because other programs may parse the standard
 * output of our commands. With `quiet` the output is returned instead.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean }} [options]
 * @returns {Promise<{ status: number | null, output: string }>}
 */
function run(program, args, { env = {}, quiet = false } = {}) {
  const child = spawn(program, args, {
    cwd: root,
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', process.stderr, 'inherit'],
    env: { ...process.env, ...env },
    shell: isWindows && program.endsWith('.cmd'),
  });
  running.add(child);
  let output = '';
  const collect = (/** @type {Buffer} */ chunk) => {
    output += chunk.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      running.delete(child);
      resolve({ status, output });
    });
  });
}

function say(line) {
  process.stderr.write(`${line} ...\n`);
}

/** Prints the lines, stops the programs that still run, and exits with status 1. */
function stop(...lines) {
  for (const line of lines) process.stderr.write(`${line}\n`);
  for (const child of running) child.kill();
  process.exit(1);
}
