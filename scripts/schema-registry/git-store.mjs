import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failure, usageError } from '../command-line.mjs';
import { isChanged, readFile, replaceFile } from './folder-store.mjs';

const { withoutCredentials } = createRequire(import.meta.url)('../../packages/serving/dist/index.js');

const timeoutMs = 120_000;

/** Makes git ask a helper, which is a line of shell, for the user and the password of a server: those of GitHub and GitLab. */
const tokenHelper = {
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'credential.helper',
  GIT_CONFIG_VALUE_0: String.raw`!printf 'username=x-access-token\npassword=%s\n' "$SCHEMA_REGISTRY_TOKEN" #`,
};

/**
 * Opens a folder in a git repository. The repository is cloned into a temporary folder, and each `write`
 * pushes one commit.
 *
 * @param {string} location URL#BRANCH:FOLDER
 * @returns {import('./open-registry.mjs').FileStore}
 */
export function openGitStore(location) {
  const [, url = '', branch = 'main', folder = '.'] = /^([^#]+)(?:#([^:]+)(?::(.+))?)?$/.exec(location) ?? [];
  if (url === '' || url.startsWith('-') || branch.startsWith('-') || folder.split('/').includes('..'))
    throw usageError(
      'git+ needs a URL, a branch and a folder, such as git+ssh://git@example.org/schemas.git#main:lectern',
    );
  const clone = mkdtempSync(join(tmpdir(), 'lectern-schemas-'));
  const name = `${withoutCredentials(url)}#${branch}:${folder}`;
  const git = (...args) => runGit(clone, name, args);
  const close = () => rmSync(clone, { recursive: true, force: true });
  try {
    git('clone', '--quiet', '--depth', '1', '--', url, '.').orThrow();
    // An empty repository has no branch yet.
    if (git('fetch', '--quiet', '--depth', '1', 'origin', branch).status === 0)
      git('checkout', '--quiet', '-B', branch, 'FETCH_HEAD').orThrow();
    else git('checkout', '--quiet', '--orphan', branch).orThrow();
  } catch (error) {
    close();
    throw error;
  }
  const head = () => git('rev-parse', '--verify', '--quiet', 'HEAD').stdout.trim();
  return {
    name,
    read: async (file) => readFile(join(clone, folder, file)),
    async write(files, message) {
      if (files.some(({ file, version }) => isChanged(join(clone, folder, file), version))) return false;
      const before = head();
      for (const { file, text } of files) replaceFile(join(clone, folder, file), text);
      git('add', '--all', '--', folder).orThrow();
      git('commit', '--quiet', '-m', message).orThrow();
      const pushed = git('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`);
      if (pushed.status === 0) return true;
      // The push failed: either somebody else has pushed meanwhile, or the push is not allowed.
      git('fetch', '--quiet', '--depth', '1', 'origin', branch).orThrow();
      git('checkout', '--quiet', '-B', branch, 'FETCH_HEAD').orThrow();
      if (head() === before) pushed.orThrow();
      return false;
    },
    close,
  };
}

function runGit(folder, name, args) {
  const { status, stdout, stderr, error } = spawnSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: timeoutMs,
    env: {
      ...process.env,
      ...(process.env['SCHEMA_REGISTRY_TOKEN'] && tokenHelper),
      GIT_TERMINAL_PROMPT: '0',
      GIT_AUTHOR_NAME: process.env['GIT_AUTHOR_NAME'] ?? 'publish:schema',
      GIT_AUTHOR_EMAIL: process.env['GIT_AUTHOR_EMAIL'] ?? 'publish-schema@localhost',
      GIT_COMMITTER_NAME: process.env['GIT_COMMITTER_NAME'] ?? 'publish:schema',
      GIT_COMMITTER_EMAIL: process.env['GIT_COMMITTER_EMAIL'] ?? 'publish-schema@localhost',
    },
  });
  return {
    status,
    stdout: stdout ?? '',
    orThrow() {
      if (status === 0) return;
      const reason = withoutCredentials((error?.message ?? stderr).trim());
      throw failure(`${name}: git ${args[0]} failed: ${reason}`);
    },
  };
}
