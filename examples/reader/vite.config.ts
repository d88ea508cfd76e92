import { defineConfig } from 'vite';

// oxlint-disable-next-line import/no-default-export -- Vite reads the default export.
export default defineConfig({
  // A linked package that is CommonJS has to be named. Vite does not notice when it changes, so it is converted at every start.
  optimizeDeps: { include: ['@lectern/layout'], force: true },
  build: { target: 'es2022' },
});
