import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The package.json of this package. The relative path is the same from `src` and from `dist`. */
const packageFile = join(__dirname, '..', 'package.json');

export const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
