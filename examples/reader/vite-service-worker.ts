import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/**
 * The names of SQLite's files that the app does not use: SQLite's own worker, and its own storage
 * (OPFS).
 */
const unusedFiles = /\/sqlite3-(worker1|opfs-async-proxy)-/;

/** Writes service-worker.js with the list of the files of the built app. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle: {
      // Runs this plugin after Vite's own plugins, which add index.html to the bundle.
      order: 'post',
      handler(_, bundle) {
        const files = Object.values(bundle)
          .filter(({ fileName }) => !unusedFiles.test(fileName))
          .map((file) => ({
            path: file.fileName,
            integrity: integrityOf(file.type === 'chunk' ? file.code : file.source),
          }))
          .sort((one, other) => (one.path < other.path ? -1 : 1));
        const version = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16);
        const template = readFileSync(new URL('service-worker.js', import.meta.url), 'utf8');
        const constants = `const version = ${JSON.stringify(version)};\nconst files = ${JSON.stringify(files)};\n`;
        this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: constants + template });
      },
    },
  };
}

const integrityOf = (content: string | Uint8Array): string =>
  `sha256-${createHash('sha256').update(content).digest('base64')}`;
