import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fetchPackages } from './debian';
import { type FetchOptions, withDataLock } from './modules';

/** Debian's package with the Hebrew and Greek texts, their morphology and lexicons. */
const originalsPackage = 'bibledit-data';

/** The folders and files of the package that Lectern reads. */
const parts = ['morphhb', 'morphgnt', 'hebrewlexicon', 'abbott-smith', 'sblgnt', 'kjv.xml'] as const;
type Part = (typeof parts)[number];

/** The paths of the parts that are on this machine. */
export type OriginalSources = ReadonlyMap<Part, string>;

/**
 * Where parts are searched: first in the folders of ORIGINALS_PATH, which may have newer releases, then in `roots`.
 */
type FindOptions = Pick<FetchOptions, 'dataDir' | 'env'> & { roots?: readonly string[] | undefined };

const downloadFolder = (dataDir: string): string => join(dataDir, 'sources', originalsPackage);

/** Finds the parts on this machine. Downloads nothing. */
export function findOriginalSources({
  dataDir,
  env,
  roots = ['/usr/share/bibledit/sources'],
}: FindOptions): OriginalSources {
  const given = (env['ORIGINALS_PATH'] ?? '').split(delimiter).filter((root) => root !== '');
  const folders = [...given, ...roots, downloadFolder(dataDir)];
  return new Map(
    parts.flatMap((part) => {
      const root = folders.find((folder) => existsSync(join(folder, part)));
      return root === undefined ? [] : [[part, join(root, part)] as const];
    }),
  );
}

/** Finds the parts on this machine, or else downloads Debian's package. Never rejects, but logs what is missing. */
export async function fetchOriginalSources(options: FindOptions & Pick<FetchOptions, 'log'>): Promise<OriginalSources> {
  const { dataDir, env, log } = options;
  const isComplete = () => findOriginalSources(options).size === parts.length;
  let errors: string[] = [];
  try {
    if (!isComplete())
      errors = await withDataLock(dataDir, { log }, async () => {
        // Checked again, because another process may have downloaded the package while this process waited for the
        // lock.
        if (isComplete()) return [];
        const install = (root: string, file: string) =>
          installParts(join(root, 'usr', 'share', 'bibledit', 'sources'), dataDir, file);
        return fetchPackages([{ debianPackage: originalsPackage, install }], { dataDir, env, log });
      });
  } catch (error) {
    errors = [error instanceof Error ? error.message : String(error)];
  }
  const found = findOriginalSources(options);
  const missing = parts.filter((part) => !found.has(part));
  if (missing.length > 0)
    log(
      `warning: no ${missing.join(', ')} for the original texts: apt-get install ${originalsPackage}, or name a folder that has them in ORIGINALS_PATH${errors.length === 0 ? '' : ` (${errors.join('; ').replace(/\s+/g, ' ')})`}`,
    );
  return found;
}

function installParts(root: string, dataDir: string, file: string): string[] {
  const missing = parts.filter((part) => !existsSync(join(root, part)));
  if (missing.length > 0) return [`${file} does not hold ${missing.join(', ')}`];
  const target = downloadFolder(dataDir);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const part of parts) renameSync(join(root, part), join(target, part));
  return [];
}
