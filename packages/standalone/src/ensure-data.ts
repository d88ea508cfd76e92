import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildData, dataFiles } from './build-data';
import type { DataOptions } from './build-data';

/**
 * `buildData` for a process that goes on to serve. Where files are missing they are made by a process of their own: the memory that
 * building takes is given back with it.
 */
export async function ensureData(options: DataOptions): Promise<void> {
  if (!Object.values(dataFiles(options.dataDir)).every((file) => existsSync(file))) {
    const { status } = spawnSync(process.execPath, [join(__dirname, 'data-main.js')], { stdio: 'inherit', env: { ...options.env, LECTERN_DATA: options.dataDir } });
    // It has said why.
    if (status !== 0) process.exit(status ?? 130);
  }
  await buildData(options);
}
