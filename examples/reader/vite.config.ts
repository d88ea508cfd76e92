import { defineConfig } from 'vite';
import { serviceWorker } from './vite-service-worker.ts';

// oxlint-disable-next-line import/no-default-export -- Vite reads the default export.
export default defineConfig({
  // `include`: Vite converts a linked CommonJS package only if it is listed here.
  // `exclude`: SQLite finds its .wasm file beside its script, and the development server would move
  // the script.
  // `force`: Vite does not notice changes of linked packages, so it converts them at every start.
  optimizeDeps: { include: ['@lectern/verse-layout'], exclude: ['@sqlite.org/sqlite-wasm'], force: true },
  plugins: [serviceWorker()],
  worker: { format: 'es' },
  build: { target: 'es2022' },
});
