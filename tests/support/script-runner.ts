import { fork, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from '@lectern/testing';

export interface ScriptResult {
  /** The exit status of the script. Null if a signal ended the script. */
  status: number | null;
  stdout: string;
  stderr: string;
}

const scriptFile = (name: string) => join(repositoryRoot, 'scripts', name);

/**
 * Starts a process that runs scripts one after another. It loads modules only once, which saves
 * three quarters of the time.
 */
export function startScriptRunner() {
  const child = fork(join(__dirname, 'script-runner-process.mjs'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exited = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  let last: Promise<unknown> = Promise.resolve();
  const runNow = (folder: string, name: string, args: readonly string[]) =>
    new Promise<ScriptResult>((resolve, reject) => {
      const onExit = () => reject(new Error(`the script runner exited during ${name}`));
      child.once('exit', onExit);
      child.once('message', (result) => {
        child.off('exit', onExit);
        resolve(result as ScriptResult);
      });
      child.send({ folder, script: pathToFileURL(scriptFile(name)).href, args });
    });
  return {
    /** Runs a script of `scripts/` in `folder`, after all earlier runs. */
    run(folder: string, name: string, args: readonly string[] = []): Promise<ScriptResult> {
      const result = last.then(() => runNow(folder, name, args));
      last = result.catch(() => undefined);
      return result;
    },
    async close(): Promise<void> {
      child.disconnect();
      await exited;
    },
  };
}

export type ScriptRunner = ReturnType<typeof startScriptRunner>;

/** Runs a script of `scripts/` in its own process, as a person does. */
export function spawnScript(folder: string, name: string, args: readonly string[] = []): ScriptResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, [scriptFile(name), ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}
