import { defineConfig } from 'vite';

// oxlint-disable-next-line import/no-default-export -- Vite reads the default export.
export default defineConfig({
  // Packages of the workspace are CommonJS outside node_modules, so Vite has to be told to convert them.
  optimizeDeps: { include: ['@lectern/layout'] },
  build: { target: 'es2022' },
});
