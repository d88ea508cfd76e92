import { open } from 'node:fs/promises';
import { packageFile } from '@lectern/corpus';
import type { OpenedPackage } from '@lectern/serving';
import { createSendOfflinePackage, parseOfflinePackagePath } from '@lectern/serving';
import type { FileRoute } from '@lectern/subgraph';

/**
 * Serves offline packages: translations as gzipped SQLite files, which clients download. The path
 * of a package is `/offline/<identifier>/v<schema version>/<sha256>.sqlite.gz`.
 */
export function createOfflinePackageRoute(dataDir: string): FileRoute {
  const send = createSendOfflinePackage();
  return {
    path: '/offline/',
    handle: (request, response, path) => send(request, response, () => openPackage(dataDir, path)),
  };
}

async function openPackage(dataDir: string, path: string): Promise<OpenedPackage> {
  const parsed = parseOfflinePackagePath(path);
  if (!parsed) return 'not-found';
  try {
    return { file: await open(packageFile(dataDir, parsed.identifier, parsed)), sha256: parsed.sha256 };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'not-found';
    throw error;
  }
}
