import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const recipe = join(here, '..', '..', 'tools', 'rover');
const installed = join(here, '..', '..', 'node_modules', '.lectern', 'rover');
const windows = process.platform === 'win32';

const installWithinMs = 180_000;
/** The first run with Rover's own plugin downloads it. */
const runWithinMs = 300_000;

/** There is no Rover and none can be fetched now: the exit status is 3, so that a test can tell it from a fault of the tree. */
const unavailable = (...lines) => Object.assign(new Error(lines.join('\n')), { exitStatus: 3 });

/** The path of Rover's program, installed as tools/rover says the first time and whenever that changes. */
export function installRover() {
  const lock = readFileSync(join(recipe, 'package-lock.json'), 'utf8');
  const stamp = join(installed, 'installed');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
    rmSync(installed, { recursive: true, force: true });
    mkdirSync(installed, { recursive: true });
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(recipe, file), join(installed, file));
    // Not `npm ci`: it takes only the systems that the lock names, and npm adds the program of another system by itself.
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
      {
        cwd: installed,
        encoding: 'utf8',
        timeout: installWithinMs,
        stdio: ['ignore', 'ignore', 'pipe'],
        shell: windows,
      },
    );
    if (status !== 0)
      throw unavailable(
        'Rover could not be installed from the npm registry:',
        `  ${error?.message ?? firstLine(stderr)}`,
      );
    findProgram();
    writeFileSync(stamp, lock);
  }
  return findProgram();
}

/** npm says the code first, then the reason; the file of its log is of no use to anybody here. */
const firstLine = (text) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('npm error') && !line.includes('log'))
    .slice(0, 2)
    .join(' ') || text.trim();

/** npm installs the package of this system alone. Rover's own launcher is not used: it looks for the plugin inside of node_modules. */
function findProgram() {
  const packages = join(installed, 'node_modules', '@apollo');
  const program = (existsSync(packages) ? readdirSync(packages) : [])
    .map((name) => join(packages, name, windows ? 'rover.exe' : 'rover'))
    .find((file) => existsSync(file));
  if (!program) throw unavailable(`The npm registry has no Rover for ${process.platform} on ${process.arch}.`);
  return program;
}

/** What `rover supergraph compose` writes and says about a configuration: with its own plugin, which it downloads once, or with the stand-in. */
export function composeWithRover(program, { config, federationVersion, standIn }) {
  const home = standIn ? mkdtempSync(join(tmpdir(), 'lectern-rover-')) : join(installed, 'home');
  try {
    if (standIn) putStandIn(home, federationVersion);
    const flags = ['--elv2-license', 'accept', '--skip-update-check', ...(standIn ? ['--skip-update'] : [])];
    const { status, stdout, stderr, error } = spawnSync(
      program,
      ['supergraph', 'compose', '--config', config, ...flags],
      {
        encoding: 'utf8',
        timeout: runWithinMs,
        maxBuffer: 64 * 1024 * 1024,
        // A download takes its time: who waits for it sees what Rover says.
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
    const late =
      error?.code === 'ETIMEDOUT'
        ? `Rover did not end within ${runWithinMs / 60_000} minutes. Where its plugin cannot be downloaded, use --stand-in.`
        : error?.message;
    return { status, supergraphSdl: (stdout ?? '').trimEnd(), said: late ?? (stderr ?? '').trim() };
  } finally {
    if (standIn) rmSync(home, { recursive: true, force: true });
  }
}

function putStandIn(home, federationVersion) {
  const folder = join(home, '.rover', 'bin');
  const quoted = (path) => `'${path.replaceAll("'", `'\\''`)}'`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `supergraph-v${federationVersion}`),
    `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(join(here, 'rover-stand-in.mjs'))} "$@"\n`,
    { mode: 0o755 },
  );
}
