import { defineConfig } from 'vite';
import { serviceWorker } from './vite-service-worker.ts';

// oxlint-disable-next-line import/no-default-export -- Vite reads the default export.
export default defineConfig({
<<<<<<< HEAD
  // A linked package that is CommonJS has to be named. Vite does not notice when it changes, so it is converted at every start.
  optimizeDeps: { include: ['@lectern/layout'], force: true },
=======
  // Packages of the workspace are CommonJS outside node_modules, so Vite has to be told to convert them.
  // SQLite finds its .wasm file beside its script, and Vite's development server would move the script.
  optimizeDeps: { include: ['@lectern/layout'], exclude: ['@sqlite.org/sqlite-wasm'] },
  plugins: [serviceWorker()],
  worker: { format: 'es' },
>>>>>>> 49268c5 (Read offline packages in the example reader)
  build: { target: 'es2022' },
});
