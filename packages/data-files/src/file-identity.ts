import type { Stats } from 'node:fs';

/**
 * Returns an identity that differs between a file and its replacement. Returns '' without `stats`,
 * which means that the file is missing.
 */
export const fileIdentity = (stats: Stats | undefined): string =>
  stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : '';
