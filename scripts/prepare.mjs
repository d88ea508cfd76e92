// Brings a fresh clone to where it can run: dependencies installed, TypeScript compiled. Does nothing where nothing changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamps = join(root, 'node_modules', '.lectern');
const windows = process.platform === 'win32';

/** Settings of our own tools: nothing of ours reports home or downloads what it does not need. */
const quiet = {
  APOLLO_TELEMETRY_DISABLED: '1',
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
  ORT_DISABLE_TELEMETRY: '1',
  ONNXRUNTIME_NODE_INSTALL: 'skip',
};

export function prepare() {
  requireNode();
  process.chdir(root);
  Object.assign(process.env, quiet);
  once('installed', digest(['package-lock.json']), install);
  once(
    'built',
    sourcesDigest(),
    build,
    workspaces().every((room) => existsSync(join(root, room, 'dist'))),
  );
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 12))
    stop(`Lectern needs Node 20.12 or newer; this is ${process.version}. See https://nodejs.org`);
}

function install() {
  say('Installing the dependencies (once; about a minute)');
  // Of better-sqlite3 there is a compiled file for most systems. Where it cannot be had, it is compiled against node's own headers.
  const prefix = dirname(dirname(process.execPath));
  const nodedir = existsSync(join(prefix, 'include', 'node', 'node.h')) ? { npm_config_nodedir: prefix } : {};
  // What is there is brought up to date: installing afresh would take the modules from under processes that run.
  const how = existsSync(join(root, 'node_modules', '.package-lock.json')) ? ['install', '--no-save'] : ['ci'];
  const { status } = run(windows ? 'npm.cmd' : 'npm', [...how, '--no-audit', '--no-fund', '--loglevel=error'], nodedir);
  if (status !== 0 || !sqliteLoads()) {
    stop(
      status === 0
        ? 'The SQLite module was installed but cannot be loaded.'
        : 'The dependencies could not be installed; npm says above why.',
      "If it tried to compile better-sqlite3: that takes python3, make and a C++ compiler, and node's header files.",
      '  Debian, Ubuntu: apt-get install python3 make g++     Fedora: dnf install python3 make gcc-c++     macOS: xcode-select --install',
    );
  }
}

function sqliteLoads() {
  try {
    const Database = createRequire(join(root, 'packages', 'corpus', 'package.json'))('better-sqlite3');
    new Database(':memory:').close();
    return true;
  } catch {
    return false;
  }
}

function build() {
  say('Compiling');
  const { status } = run(
    process.execPath,
    [
      join(root, 'node_modules', 'turbo', 'bin', 'turbo'),
      'run',
      'build',
      '--output-logs=errors-only',
      '--log-order=stream',
    ],
    {},
  );
  if (status !== 0) stop('The sources do not compile; the compiler says above why.');
}

function once(name, fingerprint, work, isThere = true) {
  const stamp = join(stamps, name);
  if (isThere && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return;
  work();
  mkdirSync(stamps, { recursive: true });
  writeFileSync(stamp, fingerprint);
}

function workspaces() {
  const inside = (folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(folder, entry.name));
  return ['gateway', ...inside('packages'), ...inside('services')]
    .filter((room) => existsSync(join(root, room, 'package.json')))
    .sort();
}

function digest(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** Of size and time of each source, so that a start does not read them all. */
function sourcesDigest() {
  const hash = createHash('sha256').update(digest(['package-lock.json', 'tsconfig.json']));
  for (const room of workspaces()) {
    hash.update(room);
    for (const entry of sourcesOf(room)) {
      const { size, mtimeMs } = statSync(join(root, room, entry));
      hash.update(`${entry} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}

/** What a build reads: the code, that for browsers, and what stands beside them at the top of the room. */
function sourcesOf(room) {
  const inside = (folder) =>
    existsSync(join(root, room, folder))
      ? readdirSync(join(root, room, folder), { recursive: true }).map((entry) => join(folder, entry))
      : [];
  const beside = readdirSync(join(root, room)).filter((entry) => /\.(mjs|json|graphql)$/.test(entry));
  return [...inside('src'), ...inside('browser'), ...beside].sort();
}

/** All that it says goes to standard error: what a command prints for other programs must stay readable to them. */
function run(command, args, env) {
  return spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', process.stderr, 'inherit'],
    env: { ...process.env, ...env },
    shell: windows && command.endsWith('.cmd'),
  });
}

function say(line) {
  process.stderr.write(`${line} ...\n`);
}

function stop(...lines) {
  for (const line of lines) process.stderr.write(`${line}\n`);
  process.exit(1);
}
