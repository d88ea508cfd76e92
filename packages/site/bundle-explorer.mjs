// @ts-check
// Bundles /explorer (browser/) into dist/assets: minified, compressed, named by digest, and listed in a manifest.
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';
import { readExamples } from './read-examples.mjs';

const packageFolder = import.meta.dirname;
const assetsFolder = join(packageFolder, 'dist', 'assets');
await mkdir(dirname(assetsFolder), { recursive: true });
// Each build writes into its own folder, because two builds may run at once.
const temporaryFolder = await mkdtemp(`${assetsFolder}-`);
const outputFolder = join(temporaryFolder, 'assets');
/** The path below which the gateway serves the bundled files. */
const publicPath = '/explorer/';

// Resolve from GraphiQL's own packages, to bundle the versions that GraphiQL depends on.
const graphiql = createRequire(createRequire(import.meta.url).resolve('graphiql/package.json'));
const graphiqlReact = createRequire(graphiql.resolve('@graphiql/react/package.json'));

/** @type {import('esbuild').BuildOptions & { metafile: true }} */
const commonOptions = {
  bundle: true,
  minify: true,
  metafile: true,
  outdir: outputFolder,
  logLevel: 'warning',
  target: ['chrome111', 'firefox115', 'safari16.4'],
  entryNames: '[name]-[hash]',
  chunkNames: 'part-[hash]',
  assetNames: '[name]-[hash]',
  publicPath,
  // Writes the licence notices into files beside the scripts.
  legalComments: 'linked',
  loader: { '.ttf': 'file' },
};

/**
 * Screen readers ignore the buttons in GraphiQL's tabs, because of the roles "tablist" and "tab". Without these roles,
 * the tabs are a list of buttons.
 * @type {readonly (readonly [original: string, replacement: string])[]}
 */
const roleReplacements = [
  ['role: "tablist",', ''],
  ['role: "tab",', ''],
  ['"aria-selected": isActive', '"aria-current": isActive'],
];

/**
 * Removes the wrong ARIA roles. Fails the build if GraphiQL's source no longer has them.
 * @type {import('esbuild').Plugin}
 */
const fixGraphiqlTabRoles = {
  name: 'fix-graphiql-tab-roles',
  setup: ({ onLoad }) =>
    onLoad({ filter: /@graphiql[\\/]react[\\/]dist[\\/]components[\\/]tabs[\\/]index\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const missing = roleReplacements.map(([original]) => original).filter((original) => !source.includes(original));
      if (missing.length > 0)
        throw new Error(`${path} no longer has ${missing.join(' or ')}: is fixGraphiqlTabRoles still needed?`);
      const contents = roleReplacements.reduce(
        (text, [original, replacement]) => text.replace(original, replacement),
        source,
      );
      return { contents, loader: 'js' };
    }),
};

try {
  await bundle();
} finally {
  await rm(temporaryFolder, { recursive: true, force: true });
}

async function bundle() {
  await mkdir(outputFolder);
  const page = await bundlePage(await bundleWorkers());
  await removeDuplicateStyles();
  const fileNames = (await readdir(outputFolder)).sort();
  const sizes = await Promise.all(fileNames.map(compress));
  await writeFile(
    join(outputFolder, 'manifest.json'),
    `${JSON.stringify({ script: basename(page.script), style: basename(page.style), files: fileNames }, null, 2)}\n`,
  );
  await replaceAssets();
  for (const { name, bytes, gzipped, brotli } of sizes)
    console.log(`${name.padEnd(32)}${kilobytes(bytes)}  gzip${kilobytes(gzipped)}  br${kilobytes(brotli)}`);
}

/** Moves the output to dist/assets, and the folder that was there into the temporary folder. */
async function replaceAssets(attempts = 10) {
  try {
    await rename(outputFolder, assetsFolder);
  } catch (error) {
    if (attempts === 0) throw error;
    // `rename` cannot overwrite a folder with files. Errors are ignored: another build may have moved the old one.
    await rename(assetsFolder, join(temporaryFolder, `replaced-${attempts}`)).catch(() => undefined);
    await replaceAssets(attempts - 1);
  }
}

/** @returns {Promise<Record<string, string>>} The public path of each worker's script. */
async function bundleWorkers() {
  const modules = {
    editor: 'monaco-editor/esm/vs/editor/editor.worker.js',
    json: 'monaco-editor/esm/vs/language/json/json.worker.js',
    graphql: 'monaco-graphql/esm/graphql.worker.js',
  };
  const paths = Object.entries(modules).map(async ([name, module]) => {
    const { metafile } = await build({
      ...commonOptions,
      format: 'iife',
      entryPoints: { [`${name}-worker`]: graphiqlReact.resolve(module) },
    });
    return [name, publicPath + basename(findOutput(metafile, name).script)];
  });
  return Object.fromEntries(await Promise.all(paths));
}

/** @param {Record<string, string>} workers The public path of each worker's script. */
async function bundlePage(workers) {
  // GraphiQL would import Monaco and the styles lazily, but the page needs them at once. Of the styles,
  // undo-site-styles-in-graphiql.css must come first, and the page's own must come last.
  const imports = [
    join(packageFolder, 'browser', 'undo-site-styles-in-graphiql.css'),
    graphiqlReact.resolve('monaco-graphql/esm/monaco-editor.js'),
    graphiqlReact.resolve('@graphiql/react/style.css'),
    graphiql.resolve('@graphiql/plugin-doc-explorer/style.css'),
    graphiql.resolve('graphiql/graphiql.css'),
    join(packageFolder, 'browser', 'main.tsx'),
  ];
  const { metafile } = await build({
    ...commonOptions,
    format: 'esm',
    splitting: true,
    plugins: [fixGraphiqlTabRoles],
    stdin: {
      sourcefile: 'explorer.js',
      resolveDir: packageFolder,
      contents: imports.map((path) => `import ${JSON.stringify(path)};`).join('\n'),
    },
    entryNames: 'explorer-[hash]',
    define: {
      'process.env.NODE_ENV': '"production"',
      WORKERS: JSON.stringify(workers),
      EXAMPLES: JSON.stringify(await readExamples(join(packageFolder, '..', '..', 'services'))),
    },
  });
  return findOutput(metafile, 'explorer');
}

/**
 * Compares the name, because esbuild also counts lazily imported modules as entry points.
 * @param {import('esbuild').Metafile} metafile
 * @param {string} name
 */
function findOutput({ outputs }, name) {
  const found = Object.entries(outputs).find(([path]) => basename(path).startsWith(`${name}-`) && path.endsWith('.js'));
  if (!found) throw new Error(`esbuild wrote no script for the entry point ${name}.`);
  const [script, { cssBundle = '' }] = found;
  return { script, style: cssBundle };
}

/** Removes the style sheets of lazily imported modules, which the style sheet of the page contains too. */
async function removeDuplicateStyles() {
  const names = (await readdir(outputFolder)).filter((name) => /^part-.*\.css$/.test(name));
  await Promise.all(names.map((name) => rm(join(outputFolder, name))));
}

/** @param {string} name The file whose gzip and brotli forms are written. */
async function compress(name) {
  const path = join(outputFolder, name);
  const content = await readFile(path);
  const [gzipped, brotli] = await Promise.all([
    promisify(gzip)(content, { level: 9 }),
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
  ]);
  await Promise.all([writeFile(`${path}.gz`, gzipped), writeFile(`${path}.br`, brotli)]);
  return { name, bytes: content.length, gzipped: gzipped.length, brotli: brotli.length };
}

/** @param {number} bytes */
function kilobytes(bytes) {
  return `${Math.round(bytes / 1024)} kB`.padStart(8);
}
