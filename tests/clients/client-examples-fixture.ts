import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLogger } from '@lectern/serving';
import { repositoryRoot } from '@lectern/testing';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { waitUntil } from '../support/processes';
import { readDocumentationExamples } from '../support/read-documentation-examples';

/**
 * The origin of Lectern in the documentation. The examples in the folders have the real origin
 * instead.
 */
const documentedOrigin = 'http://127.0.0.1:4000';

export interface CommandResult {
  readonly status: number | string;
  readonly output: string;
}

export interface StartedCommand {
  /**
   * Resolves with the first text of the output that matches `expected`. Rejects if the command
   * exits.
   */
  waitFor(expected: RegExp): Promise<string>;
}

/**
 * A folder with the files that sections of the documentation contain. Scripts in the folder can
 * import the npm packages that the repository has installed.
 */
export interface ClientFolder {
  readonly path: string;
  /**
   * The shell code blocks of the sections, without those that install packages. A code block may
   * have several lines.
   */
  readonly commands: readonly string[];
  write(file: string, content: string): void;
  read(file: string): string;
  /** Runs a shell command here, with `LECTERN_URL`, `LECTERN_KEY` and the variables of `env`. */
  run(command: string, env?: NodeJS.ProcessEnv): Promise<CommandResult>;
  /** Starts a shell command that runs until the end of the tests, such as a server. */
  start(command: string): StartedCommand;
}

/** An embedded service for all tests of a file, and folders with examples of the documentation. */
export interface ClientServices {
  readonly lectern: EmbeddedLectern;
  /** Creates a folder with the examples of these sections of a page, such as `README.md`. */
  openFolder(page: string, ...sections: string[]): ClientFolder;
  /**
   * Replaces the service's manifest of trusted documents. Resolves when the service uses the new
   * one.
   */
  publishManifest(text: string): Promise<void>;
  close(): Promise<void>;
}

export async function startClientServices(): Promise<ClientServices> {
  const parent = mkdtempSync(join(tmpdir(), 'lectern-clients-'));
  const manifest = join(parent, 'manifest.json');
  writeFileSync(manifest, '{ "first": "{ __typename }" }');
  let manifestsInUse = 0;
  const lectern = await startEmbeddedLectern({
    trustedDocuments: { location: manifest, pollMs: 50, isOnly: false },
    documentGet: { caches: 'private', maxSeconds: 60 },
    log: createLogger({
      service: 'test',
      level: 'info',
      destination: { write: (line) => void (line.includes('new trusted documents are used') && manifestsInUse++) },
    }),
  });
  symlinkSync(join(repositoryRoot, 'node_modules'), join(parent, 'node_modules'));
  const env = { ...process.env, LECTERN_URL: lectern.url, LECTERN_KEY: lectern.token, NO_COLOR: '1' };
  const stops: (() => void)[] = [];

  const openFolder = (page: string, ...sections: string[]): ClientFolder => {
    const path = mkdtempSync(join(parent, 'client-'));
    const withOrigin = (text: string) => text.replaceAll(documentedOrigin, lectern.origin);
    const write = (file: string, content: string) => {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), withOrigin(content));
    };
    const examples = sections.flatMap((section) => examplesOf(page, section));
    write('package.json', '{ "private": true, "type": "module" }');
    for (const { file, code } of examples) if (file !== null) write(file, code);
    return {
      path,
      commands: examples
        .filter(({ language, code }) => language === 'sh' && !code.includes('npm install'))
        .map(({ code }) => code),
      write,
      read: (file) => readFileSync(join(path, file), 'utf8'),
      run: (command, more = {}) => runShell(withOrigin(command), { cwd: path, env: { ...env, ...more } }),
      start(command) {
        const started = startShell(withOrigin(command), { cwd: path, env });
        stops.push(started.stop);
        return started;
      },
    };
  };

  return {
    lectern,
    openFolder,
    async publishManifest(text) {
      const before = manifestsInUse;
      writeFileSync(`${manifest}.part`, text);
      renameSync(`${manifest}.part`, manifest);
      await waitUntil(() => manifestsInUse > before);
    },
    async close() {
      for (const stop of stops) stop();
      await lectern.close();
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

function examplesOf(page: string, section: string) {
  const examples = readDocumentationExamples(page).filter((example) => example.section === section);
  if (examples.length === 0) throw new Error(`${page} has no examples in a section "${section}"`);
  return examples;
}

interface ShellOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

const runShell = (command: string, options: ShellOptions) =>
  new Promise<CommandResult>((resolve) => {
    execFile('sh', ['-e', '-c', command], options, (error, stdout, stderr) =>
      resolve({ status: error?.code ?? 0, output: stdout + stderr }),
    );
  });

function startShell(command: string, options: ShellOptions) {
  // `detached` makes a process group, so that `stop` also ends the processes that the command
  // starts.
  const child = spawn('sh', ['-c', command], { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const waitFor = (expected: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        output += chunk.toString();
        const [found] = expected.exec(output) ?? [];
        if (found !== undefined) resolve(found);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('exit', () => reject(new Error(`${command} exited: ${output}`)));
    });
  return { waitFor, stop: () => void (child.exitCode === null && process.kill(-(child.pid ?? 0))) };
}
