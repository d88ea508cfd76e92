import { defineConfig } from 'vite';
import { serviceWorker } from './vite-service-worker.ts';

// oxlint-disable-next-line import/no-default-export -- Vite reads the default export.
export default defineConfig({
  // A linked package that is CommonJS has to be named. Vite does not notice when it changes, so it is converted at every start.
  // SQLite finds its .wasm file beside its script, and Vite's development server would move the script.
  optimizeDeps: { include: ['@lectern/verse-layout'], exclude: ['@sqlite.org/sqlite-wasm'], force: true },
  plugins: [serviceWorker()],
  worker: { format: 'es' },
  build: { target: 'es2022' },
});
