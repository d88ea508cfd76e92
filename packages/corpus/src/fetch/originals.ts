import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fetchPackages } from './debian';
import { downloadFolder, downloadMissing, type FetchOptions, foldersIn, inBrackets } from './modules';

/** Debian's package with the Hebrew and Greek texts, their morphology and lexicons. */
const originalsPackage = 'bibledit-data';

/** What Lectern reads of `originalsPackage`: the names of its folders and files. */
const parts = ['morphhb', 'morphgnt', 'hebrewlexicon', 'abbott-smith', 'sblgnt', 'kjv.xml'] as const;
type Part = (typeof parts)[number];

export type OriginalSources = ReadonlyMap<Part, string>;

/** Parts are searched in the folders of ORIGINALS_PATH, which may have newer releases, then in `roots`. */
type FindOptions = Pick<FetchOptions, 'dataDir' | 'env'> & { roots?: readonly string[] | undefined };

/** Finds the parts on this machine. Downloads nothing. */
export function findOriginalSources({
  dataDir,
  env,
  roots = ['/usr/share/bibledit/sources'],
}: FindOptions): OriginalSources {
  const folders = [...foldersIn(env['ORIGINALS_PATH']), ...roots, downloadFolder(dataDir, originalsPackage)];
  return new Map(
    parts.flatMap((part) => {
      const root = folders.find((folder) => existsSync(join(folder, part)));
      return root === undefined ? [] : [[part, join(root, part)] as const];
    }),
  );
}

/** Finds the parts on this machine, or else downloads Debian's package. Never rejects, but logs what is missing. */
export async function fetchOriginalSources(options: FindOptions & Pick<FetchOptions, 'log'>): Promise<OriginalSources> {
  const { dataDir, log } = options;
  const install = (root: string, file: string) =>
    installParts(join(root, 'usr', 'share', 'bibledit', 'sources'), dataDir, file);
  const isComplete = () => findOriginalSources(options).size === parts.length;
  const download = () => fetchPackages([{ debianPackage: originalsPackage, install }], options);
  const errors = isComplete() ? [] : await downloadMissing(options, isComplete, download);
  const found = findOriginalSources(options);
  const missing = parts.filter((part) => !found.has(part));
  if (missing.length > 0)
    log(
      `warning: no ${missing.join(', ')} for the original texts: apt-get install ${originalsPackage}, or name a folder that has them in ORIGINALS_PATH${inBrackets(errors)}`,
    );
  return found;
}

function installParts(root: string, dataDir: string, file: string): string[] {
  const missing = parts.filter((part) => !existsSync(join(root, part)));
  if (missing.length > 0) return [`${file} does not hold ${missing.join(', ')}`];
  const target = downloadFolder(dataDir, originalsPackage);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const part of parts) renameSync(join(root, part), join(target, part));
  return [];
}
