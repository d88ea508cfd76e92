// Prints the version of a service as an output of a workflow step: version=0.1.0. The image `data` has the version of
// packages/standalone, whose command fills it.
import { existsSync, readFileSync } from 'node:fs';

const name = process.argv[2] ?? '';
const folder = name === 'data' ? 'standalone' : name;
const file = [`services/${folder}/package.json`, `packages/${folder}/package.json`, `${folder}/package.json`].find(
  (each) => existsSync(each),
);
const { version = '' } = /^[a-z]+$/.test(name) && file ? JSON.parse(readFileSync(file, 'utf8')) : {};
if (/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) console.log(`version=${version}`);
else {
  console.error(`${name}: no such service, or its package.json has no version such as 1.2.3.`);
  process.exitCode = 1;
}
