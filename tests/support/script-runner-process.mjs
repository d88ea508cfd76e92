// The process that script-runner.ts starts. Runs scripts/*.mjs one after another in
// this process, so that the modules that the scripts import are loaded only once.
// For each run, receives `{ folder, script, args }` over IPC, and replies with
// `{ status, stdout, stderr }`.
import { format } from 'node:util';

let runs = 0;

process.on('message', async (/** @type {{ folder: string, script: string, args: string[] }} */ run) => {
  process.send?.(await runScript(run));
});

/** @param {{ folder: string, script: string, args: string[] }} run */
async function runScript({ folder, script, args }) {
  const output = { stdout: '', stderr: '' };
  console.log = (...values) => void (output.stdout += `${format(...values)}\n`);
  console.error = (...values) => void (output.stderr += `${format(...values)}\n`);
  process.stdout.write = (chunk) => Boolean((output.stdout += chunk)) || true;
  process.chdir(folder);
  process.argv = [process.execPath, script, ...args];
  process.exitCode = undefined;
  runs += 1;
  try {
    // The query string makes Node evaluate the script again. The modules it imports stay loaded.
    await import(`${script}?run=${runs}`);
  } catch (error) {
    output.stderr += `${error instanceof Error ? error.stack : String(error)}\n`;
    process.exitCode = 1;
  }
  const status = process.exitCode ?? 0;
  process.exitCode = undefined;
  return { status, ...output };
}
