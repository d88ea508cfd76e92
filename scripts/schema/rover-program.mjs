import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandError } from '../command-line.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const roverPackage = join(here, '..', '..', 'tools', 'rover');
const installed = join(here, '..', '..', 'node_modules', '.lectern', 'rover');
const windows = process.platform === 'win32';

const installTimeoutMs = 180_000;
/** The maximum duration of a run. It is long, because the first run downloads Rover's composition plugin. */
const runTimeoutMs = 300_000;

/**
 * Creates the error that Rover cannot be installed. Tests skip after its exit status 3, because the
 * repository has no error.
 */
const unavailable = (/** @type {string[]} */ ...lines) => commandError(3, lines);

/** Returns the path of Rover's program. Installs it first if tools/rover/package-lock.json has changed. */
export function installRover() {
  const lock = readFileSync(join(roverPackage, 'package-lock.json'), 'utf8');
  const stamp = join(installed, 'installed');
  const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === lock;
  if (isInstalled()) return findProgram(installed);

  // Two processes that run tests may install at the same time, so each installs into its own folder first.
  mkdirSync(dirname(installed), { recursive: true });
  const folder = mkdtempSync(`${installed}-`);
  try {
    installInto(folder);
    writeFileSync(join(folder, 'installed'), lock);
    if (!isInstalled()) {
      rmSync(installed, { recursive: true, force: true });
      renameSync(folder, installed);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return findProgram(installed);
}

/** @param {string} folder */
function installInto(folder) {
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(roverPackage, file), join(folder, file));
  // `npm ci` fails if the lock file does not list Rover's package for this system. `npm install` installs that package anyway.
  const { status, stderr, error } = spawnSync(
    windows ? 'npm.cmd' : 'npm',
    [
      'install',
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      '--fetch-retries=1',
      '--fetch-timeout=30000',
    ],
    { cwd: folder, encoding: 'utf8', timeout: installTimeoutMs, stdio: ['ignore', 'ignore', 'pipe'], shell: windows },
  );
  if (status !== 0)
    throw unavailable(
      'Rover could not be installed from the npm registry:',
      `  ${error?.message ?? npmErrorIn(stderr)}`,
    );
  findProgram(folder);
}

/** Returns npm's error code and reason, without the path of its log file. */
const npmErrorIn = (text) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('npm error') && !line.includes('log'))
    .slice(0, 2)
    .join(' ') || text.trim();

/**
 * Finds the program that npm installed for this system. Rover's launcher is not used, because it expects
 * Rover's composition plugin in node_modules.
 */
function findProgram(folder) {
  const packages = join(folder, 'node_modules', '@apollo');
  const program = (existsSync(packages) ? readdirSync(packages) : [])
    .map((name) => join(packages, name, windows ? 'rover.exe' : 'rover'))
    .find((file) => existsSync(file));
  if (!program) throw unavailable(`The npm registry has no Rover for ${process.platform} on ${process.arch}.`);
  return program;
}

/**
 * Runs `rover supergraph compose`.
 * Rover downloads its composition plugin on the first run. `standIn` replaces the plugin by rover-plugin.mjs.
 * `output` says why Rover could not be run, or is Rover's standard error, which is empty unless
 * `standIn` is set.
 */
export function composeWithRover(program, { config, federationVersion, standIn }) {
  const home = standIn ? mkdtempSync(join(tmpdir(), 'lectern-rover-')) : join(installed, 'home');
  try {
    if (standIn) writeStandIn(home, federationVersion);
    const flags = ['--elv2-license', 'accept', '--skip-update-check', ...(standIn ? ['--skip-update'] : [])];
    const { status, stdout, stderr, error } = spawnSync(
      program,
      ['supergraph', 'compose', '--config', config, ...flags],
      {
        encoding: 'utf8',
        timeout: runTimeoutMs,
        maxBuffer: 64 * 1024 * 1024,
        // The download takes a while, so Rover's messages are shown meanwhile.
        stdio: ['ignore', 'pipe', standIn ? 'pipe' : 'inherit'],
        env: {
          ...process.env,
          APOLLO_HOME: home,
          APOLLO_CONFIG_HOME: join(home, 'config'),
          APOLLO_TELEMETRY_DISABLED: '1',
          RUST_BACKTRACE: '0',
        },
      },
    );
    const isTimeout = error !== undefined && 'code' in error && error.code === 'ETIMEDOUT';
    const failed = isTimeout
      ? `Rover did not exit within ${runTimeoutMs / 60_000} minutes. If its plugin cannot be downloaded, use --stand-in.`
      : error?.message;
    return { status, supergraphSdl: (stdout ?? '').trimEnd(), output: failed ?? (stderr ?? '').trim() };
  } finally {
    if (standIn) rmSync(home, { recursive: true, force: true });
  }
}

function writeStandIn(home, federationVersion) {
  const folder = join(home, '.rover', 'bin');
  const quoted = (path) => `'${path.replaceAll("'", `'\\''`)}'`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `supergraph-v${federationVersion}`),
    `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(join(here, 'rover-plugin.mjs'))} "$@"\n`,
    { mode: 0o755 },
  );
}
