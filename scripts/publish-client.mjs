// Publishes packages/client on npm with the version of a tag, such as client-v1.2.3. .github/workflows/client.yml calls it.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { failure, runCommand } from './command-line.mjs';

const root = join(import.meta.dirname, '..');

await runCommand({
  name: 'node scripts/publish-client.mjs',
  description: 'Publishes packages/client on npm with the version of a tag and with provenance. Build it first.',
  help: 'The environment variable REPOSITORY is the https URL of the repository, which provenance needs.',
  arguments: [['<tag>', 'such as client-v1.2.3']],
  options: [['--pack <folder>', 'only write the package to this folder']],
  run: publish,
});

/**
 * @param {{ pack?: string }} options
 * @param {string} tag
 */
function publish({ pack }, tag) {
  const [, version] = /^client-v(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(tag) ?? [];
  const { REPOSITORY = '' } = process.env;
  if (!version) throw failure(`The tag is ${JSON.stringify(tag)}, but must be such as client-v1.2.3.`);
  if (!/^https:\/\/\S+$/.test(REPOSITORY)) throw failure('Set REPOSITORY to the https URL of the repository.');
  const folder = mkdtempSync(join(tmpdir(), 'lectern-client-'));
  try {
    const source = join(root, 'packages', 'client');
    for (const name of ['dist', 'README.md']) cpSync(join(source, name), join(folder, name), { recursive: true });
    cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    const {
      scripts: _,
      devDependencies: __,
      ...manifest
    } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
    const repository = { type: 'git', url: `git+${REPOSITORY}.git`, directory: 'packages/client' };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version, repository }, null, 2));
    const command = pack
      ? ['pack', '--pack-destination', resolve(pack)]
      : ['publish', '--provenance', '--access', 'public'];
    // A version such as 2.0.0-beta.1 must not become the one that `npm install` chooses.
    if (!pack && version.includes('-')) command.push('--tag', 'next');
    execFileSync('npm', command, { cwd: folder, stdio: 'inherit' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return 0;
}
