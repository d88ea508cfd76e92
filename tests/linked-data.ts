import { linkSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { dataDir } from '@lectern/testing';

/** The real data without its keys in a folder of its own, so that a first start has nothing to build. */
export const linkData = (folder: string): void => {
  for (const name of readdirSync(dataDir).filter((each) => /\.(sqlite|vec|words)$/.test(each) && each !== 'keys.sqlite')) linkSync(join(dataDir, name), join(folder, name));
};
