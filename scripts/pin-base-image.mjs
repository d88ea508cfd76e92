// Adds the digest of the base image to the Dockerfile, or replaces it. Docker asks the image's registry for the digest.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { failure, runCommand } from './command-line.mjs';

const file = 'Dockerfile';
const line = /^ARG NODE_IMAGE=([^@\s]+)(?:@\S+)?$/m;

await runCommand({
  name: 'node scripts/pin-base-image.mjs',
  description: 'Pins the base image in the Dockerfile to the digest that its tag has now.',
  help: 'Exit status: 0 pinned, 1 the digest is unknown, 2 invalid command line.',
  run() {
    const dockerfile = readFileSync(file, 'utf8');
    const [, tag = ''] = line.exec(dockerfile) ?? [];
    if (tag === '') throw failure(`${file} has no line ARG NODE_IMAGE=IMAGE:TAG.`);
    const args = ['buildx', 'imagetools', 'inspect', tag, '--format', '{{.Manifest.Digest}}'];
    const { status, stdout, stderr, error } = spawnSync('docker', args, { encoding: 'utf8' });
    const digest = stdout?.trim() ?? '';
    if (status !== 0 || !/^sha256:[0-9a-f]{64}$/.test(digest))
      throw failure(`${tag}: docker prints no digest: ${(error?.message ?? (stderr || stdout)).trim()}`);
    writeFileSync(file, dockerfile.replace(line, `ARG NODE_IMAGE=${tag}@${digest}`));
    console.log(`${file}: ${tag}@${digest}`);
    return 0;
  },
});
