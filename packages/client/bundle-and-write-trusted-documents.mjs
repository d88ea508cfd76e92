// Bundles the client as one ES module and one CommonJS module, and writes its documents as a
// manifest of trusted documents. tsc has written the declarations to dist/esm.
import { hash } from 'node:crypto';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const dist = join(import.meta.dirname, 'dist');

for (const format of /** @type {const} */ (['esm', 'cjs']))
  await build({
    entryPoints: [join(import.meta.dirname, 'src/index.ts')],
    outfile: join(dist, format, 'index.js'),
    bundle: true,
    minify: true,
    format,
    target: 'es2022',
    logLevel: 'warning',
  });

// TypeScript reads declarations as CommonJS only below a package.json with the type commonjs.
mkdirSync(join(dist, 'cjs'), { recursive: true });
writeFileSync(join(dist, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
cpSync(join(dist, 'esm'), join(dist, 'cjs'), { recursive: true, filter: (file) => !file.endsWith('.js') });

const { outputFiles } = await build({
  entryPoints: [join(import.meta.dirname, 'src/operations.generated.ts')],
  write: false,
  format: 'esm',
});
const documents = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
const manifest = Object.values(documents).map((text) => [hash('sha256', text), text]);
writeFileSync(join(dist, 'trusted-documents.json'), `${JSON.stringify(Object.fromEntries(manifest), null, 2)}\n`);
