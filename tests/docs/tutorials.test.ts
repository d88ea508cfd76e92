import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort, linkData, repositoryRoot, startProcess, useStarted, waitForPort } from '@lectern/testing';
import { startClientServices } from '../clients/client-examples-fixture';
import { copyRepository } from '../composition/copy-repository';
import { findBrowser, startBrowser } from '../support/headless-browser';
import { waitUntil } from '../support/processes';
import { readDocumentationExamples } from '../support/read-documentation-examples';

const services = useStarted(startClientServices);
const program = findBrowser();
const testInstalled = program === null ? test.skip : test;
const folder = mkdtempSync(join(tmpdir(), 'lectern-tutorials-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const commandsOf = (page: string): string[] =>
  readDocumentationExamples(page)
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => code.trim());

interface Result {
  readonly status: number | string;
  readonly output: string;
}

const runShell = (command: string, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Result> =>
  new Promise((resolve) => {
    execFile('sh', ['-e', '-c', command], { cwd, env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ status: error?.code ?? 0, output: stdout + stderr }),
    );
  });

test('the command of docs/first-screen.md that asks for a verse prints the response that the page shows', async () => {
  const first = services.openFolder('docs/first-screen.md', 'A first answer');
  const { output } = await first.run(first.commands[0] ?? '');
  expect(readFileSync(join(repositoryRoot, 'docs/first-screen.md'), 'utf8')).toContain(
    `It prints \`${output.trim()}\``,
  );
});

testInstalled(
  'the server and the page of docs/first-screen.md show a chapter, and the error of an unknown book',
  async () => {
    const screen = services.openFolder('docs/first-screen.md', 'A server', 'The page');
    const port = await freePort();
    screen.start(`PORT=${port} ${screen.commands[0]}`);
    await waitForPort(port);
    const browser = await startBrowser(program ?? '');
    const { page } = await browser.open(`http://127.0.0.1:${port}/`);
    await page.getByRole('button', { name: 'Read' }).click();
    await page.getByRole('heading', { name: 'John 11' }).waitFor();
    expect(await page.getByRole('status').textContent()).toContain('35 Jesus wept.');
    expect(await page.content()).not.toContain(services.lectern.token);
    await page.getByLabel('Book').fill('Jhonn');
    await page.getByRole('button', { name: 'Read' }).click();
    await page.getByRole('status').filter({ hasText: 'Jhonn' }).waitFor();
    await browser.close();
  },
);

test('the commands of docs/first-translation.md lead from a USFM file to a verse on a web page, to its correction and removal', async () => {
  const data = join(folder, 'data');
  linkData(data);
  const env = { LECTERN_DATA: data, SEMANTIC_TRANSLATIONS: '' };
  const lectern = await startProcess('packages/standalone/dist/main.js', env);
  await waitUntil(() => lectern.output().includes('curl'));
  const key = /svc_test_[A-Za-z0-9_-]{49}/.exec(lectern.output())?.[0] ?? '';
  const here = (text: string) =>
    text.replaceAll('my-bible', join(folder, 'my-bible')).replaceAll('http://127.0.0.1:4000', lectern.origin);
  for (const { file, code } of readDocumentationExamples('docs/first-translation.md'))
    if (file !== null) {
      mkdirSync(dirname(here(file)), { recursive: true });
      writeFileSync(here(file), here(code));
    }
  const port = await freePort();
  const run = (command: string) =>
    runShell(here(command), repositoryRoot, { ...env, LECTERN_KEY: key, PORT: String(port) });
  const readPage = async () => (await fetch(`http://127.0.0.1:${port}/`)).text();
  const [check = '', add = '', start, ask = '', serve = '', correct = '', remove = '', ...others] =
    commandsOf('docs/first-translation.md');
  expect({ start, others }).toEqual({ start: 'npm start', others: [] });

  expect(await run(check)).toMatchObject({ status: 1, output: expect.stringContaining('books: 1, verses: 2') });
  expect(await run(add)).toMatchObject({ status: 0, output: expect.stringContaining('imported por-rio') });
  let answer = await run(ask);
  // A running service looks for new translations twice a second.
  for (let attempts = 0; attempts < 20 && answer.output.includes('errors'); attempts += 1) answer = await run(ask);
  const page = readFileSync(join(repositoryRoot, 'docs/first-translation.md'), 'utf8').replaceAll(/\s+/g, ' ');
  expect(page).toContain(`It prints \`${answer.output.trim()}\``);
  const web = startShell(here(serve), { LECTERN_KEY: key, PORT: String(port) });
  await waitForPort(port);
  expect(await readPage()).toContain('A água não acaba no verao; os juncos cantam sempre. (Salmos 1:2)');
  expect(await run(correct)).toMatchObject({ status: 0 });
  await waitUntil(async () => (await readPage()).includes('verão'));
  expect(await run(remove)).toMatchObject({ status: 0 });
  web.kill();
  lectern.child.kill('SIGTERM');
  await lectern.ended;
});

const startShell = (command: string, env: NodeJS.ProcessEnv) =>
  execFile('sh', ['-c', `exec ${command}`], { cwd: repositoryRoot, env: { ...process.env, ...env } });

test('the commands of docs/first-change.md lead from a failing test to a commit, in a copy of the repository', async () => {
  const copy = join(folder, 'repository');
  copyRepository(copy);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: copy });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Begin');
  for (const { file, code } of readDocumentationExamples('docs/first-change.md'))
    if (file !== null) writeFileSync(join(copy, file), code);
  const names = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.org' };
  const env = { ...names, GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.org' };
  const [branch = '', failing = '', change = '', passing = '', checks = '', commit = '', ...others] =
    commandsOf('docs/first-change.md');
  expect(others).toEqual([]);

  expect(await runShell(branch, copy, env)).toMatchObject({ status: 0 });
  expect(await runShell(failing, copy, env)).toMatchObject({
    status: 1,
    output: expect.stringContaining('Tests:       1 failed'),
  });
  expect(await runShell(change, copy, env)).toMatchObject({ status: 0, output: expect.stringContaining('eng.tsv') });
  expect(await runShell(passing, copy, env)).toMatchObject({ status: 0 });
  expect(await runShell(checks, copy, env)).toMatchObject({ status: 0 });
  expect(await runShell(commit, copy, env)).toMatchObject({ status: 0 });
  expect(git('status', '--short').toString()).toBe('');
});
