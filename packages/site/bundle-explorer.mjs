// Bundles the browser's side of the explorer into dist/assets: names that carry a digest, minified, each also compressed.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';
import { fixGraphiqlTabs } from './fix-graphiql-tabs.mjs';
import { readExamples } from './read-examples.mjs';

const room = import.meta.dirname;
const assets = join(room, 'dist', 'assets');
/** Where the gateway serves these files. */
const base = '/explorer/';

// GraphiQL's own dependencies, in the versions that it brings.
const graphiql = createRequire(createRequire(import.meta.url).resolve('graphiql/package.json'));
const graphiqlReact = createRequire(graphiql.resolve('@graphiql/react/package.json'));

/** @type {import('esbuild').BuildOptions} */
const options = {
  bundle: true,
  minify: true,
  metafile: true,
  outdir: assets,
  logLevel: 'warning',
  target: ['chrome111', 'firefox115', 'safari16.4'],
  entryNames: '[name]-[hash]',
  chunkNames: 'part-[hash]',
  assetNames: '[name]-[hash]',
  publicPath: base,
  // The notices that licences want kept, beside the files that they are about.
  legalComments: 'linked',
  loader: { '.ttf': 'file' },
};

await rm(assets, { recursive: true, force: true });
await mkdir(assets, { recursive: true });

const workers = Object.fromEntries(
  await Promise.all(
    Object.entries({
      editor: 'monaco-editor/esm/vs/editor/editor.worker.js',
      json: 'monaco-editor/esm/vs/language/json/json.worker.js',
      graphql: 'monaco-graphql/esm/graphql.worker.js',
    }).map(async ([name, module]) => {
      const built = await build({
        ...options,
        format: 'iife',
        entryPoints: { [`${name}-worker`]: graphiqlReact.resolve(module) },
      });
      return [name, base + basename(entryOf(built, name).file)];
    }),
  ),
);

const page = await build({
  ...options,
  format: 'esm',
  splitting: true,
  plugins: [fixGraphiqlTabs],
  // GraphiQL would fetch Monaco later; here both come at once, since neither is of use alone, and so do their styles, between our two.
  stdin: {
    sourcefile: 'explorer.js',
    resolveDir: room,
    contents: [
      join(room, 'browser', 'reset.css'),
      graphiqlReact.resolve('monaco-graphql/esm/monaco-editor.js'),
      graphiqlReact.resolve('@graphiql/react/style.css'),
      graphiql.resolve('@graphiql/plugin-doc-explorer/style.css'),
      graphiql.resolve('graphiql/graphiql.css'),
      join(room, 'browser', 'main.tsx'),
    ]
      .map((path) => `import ${JSON.stringify(path)};`)
      .join('\n'),
  },
  entryNames: 'explorer-[hash]',
  define: {
    'process.env.NODE_ENV': '"production"',
    WORKERS: JSON.stringify(workers),
    EXAMPLES: JSON.stringify(await readExamples(join(room, '..', '..', 'services'))),
  },
});

const entry = entryOf(page, 'explorer');
// Of what is imported later esbuild writes the styles once more; they stand in the page's own sheet already.
for (const name of await readdir(assets)) if (/^part-.*\.css$/.test(name)) await rm(join(assets, name));
const files = (await readdir(assets)).sort();
const sizes = await Promise.all(files.map(compressed));
await writeFile(
  join(assets, 'manifest.json'),
  `${JSON.stringify({ script: basename(entry.file), style: basename(entry.cssBundle), files }, null, 2)}\n`,
);

const kilobytes = (bytes) => `${Math.round(bytes / 1024)} kB`.padStart(8);
for (const { name, bytes, gzipped, brotli } of sizes)
  console.log(`${name.padEnd(32)}${kilobytes(bytes)}  gzip${kilobytes(gzipped)}  br${kilobytes(brotli)}`);

/** The script that was made of an entry, and the style sheet that goes with it. What is imported later counts as an entry too, under other names. */
function entryOf({ metafile }, name) {
  const [file, { cssBundle = '' }] = Object.entries(metafile.outputs).find(
    ([path]) => basename(path).startsWith(`${name}-`) && path.endsWith('.js'),
  );
  return { file, cssBundle };
}

/** Writes the file's compressed twins and tells their sizes. */
async function compressed(name) {
  const file = join(assets, name);
  const content = await readFile(file);
  const [gzipped, brotli] = await Promise.all([
    promisify(gzip)(content, { level: 9 }),
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
  ]);
  await Promise.all([writeFile(`${file}.gz`, gzipped), writeFile(`${file}.br`, brotli)]);
  return { name, bytes: content.length, gzipped: gzipped.length, brotli: brotli.length };
}
