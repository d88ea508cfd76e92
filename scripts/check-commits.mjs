// Fails if a commit since the argument <base>, other than a merge, has a subject of more than 72 characters.
import { execFileSync } from 'node:child_process';
import { failure, runCommand, usageError } from './command-line.mjs';

const maxLength = 72;

await runCommand({
  name: 'npm run check:commits --',
  description: `Checks that the subject of each commit since <base>, other than merges, has at most ${maxLength} characters.`,
  arguments: [['<base>', 'a branch, tag or commit, such as origin/main']],
  help: 'Exit status: 0 passed, 1 a subject is too long, 2 invalid command line.',
  run: (_, base) => {
    const commits = commitsSince(base);
    const tooLong = commits.filter(({ subject }) => [...subject].length > maxLength);
    if (tooLong.length > 0)
      throw failure(
        `Commit subjects have at most ${maxLength} characters. Shorten with git rebase --interactive:`,
        ...tooLong.map(({ hash, subject }) => `  ${hash} (${[...subject].length}): ${subject}`),
      );
    console.log(
      `${commits.length} commit${commits.length === 1 ? '' : 's'} since ${base}: all subjects are short enough.`,
    );
    return 0;
  },
});

/** @param {string} base */
function commitsSince(base) {
  const args = ['log', '--no-merges', '--format=%h %s', '--end-of-options', `${base}..HEAD`];
  try {
    const output = execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    return output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ hash: line.slice(0, line.indexOf(' ')), subject: line.slice(line.indexOf(' ') + 1) }));
  } catch (error) {
    throw usageError(`git log ${base}..HEAD failed: ${String(error.stderr ?? error.message).trim()}`);
  }
}
