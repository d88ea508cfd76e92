// Sets the version of all workspaces, heads the section of the release in CHANGELOG.md, and makes a commit with a tag.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { failure, runCommand, usageError } from './command-line.mjs';

const changelog = 'CHANGELOG.md';
const unreleased = '## Unreleased\n';

await runCommand({
  name: 'npm run release --',
  description: 'Makes the commit and the tag of a release: one version for all services, packages and images.',
  arguments: [['<version>', 'the new version, such as 0.2.0, or 0.2.0-rc.1']],
  help: `The entries under "Unreleased" of ${changelog} become those of the release.
Nothing is pushed. Workflows build the images of the pushed commit with this version.
Exit status: 0 released, 1 failed, 2 invalid command line.`,
  run: (_, version) => {
    const before = JSON.parse(readFileSync('package.json', 'utf8')).version;
    if (!/^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/.test(version))
      throw usageError(`The version must be like 0.2.0 or 0.2.0-rc.1, not '${version}'.`);
    if (git('status', '--porcelain', '--untracked-files=no') !== '')
      throw failure('The checkout has uncommitted changes. Commit them first.');
    if (git('tag', '--list', `v${version}`) !== '') throw failure(`There is a tag v${version} already.`);
    const text = readFileSync(changelog, 'utf8');
    if (!text.includes(unreleased)) throw failure(`${changelog} has no heading "## Unreleased".`);
    const day = new Date().toISOString().slice(0, 10);
    setVersion(before, version);
    writeFileSync(changelog, text.replace(unreleased, `${unreleased}\n## ${version} - ${day}\n`));
    git('commit', '--quiet', '--all', '--message', `Release ${version}`);
    git('tag', '--annotate', `v${version}`, '--message', `Lectern ${version}`);
    console.log(
      `Lectern ${version} is committed and tagged. Publish it with: git push --atomic origin HEAD v${version}`,
    );
    return 0;
  },
});

/** Replaces the version in the package.json of each workspace, and in the lock file. */
function setVersion(before, version) {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const setIn = (/** @type {string} */ text) =>
    text.replace(/"(version|@lectern\/[a-z-]+)": "(.*)"/g, (whole, name, value) =>
      value === before ? `"${name}": "${version}"` : whole,
    );
  for (const file of git('ls-files', '*package.json').split('\n')) {
    const text = readFileSync(file, 'utf8');
    if (JSON.parse(text).version !== before) continue;
    writeFileSync(file, setIn(text));
    const folder = dirname(file) === '.' ? '' : dirname(file);
    if (lock.packages[folder])
      lock.packages[folder] = JSON.parse(setIn(JSON.stringify(lock.packages[folder], null, 1)));
  }
  lock.version = version;
  writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
}

function git(...args) {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  } catch (error) {
    throw failure(`git ${args[0]} failed: ${String(error.stderr ?? error.message).trim()}`);
  }
}
