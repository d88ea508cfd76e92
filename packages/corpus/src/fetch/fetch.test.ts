import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { zipSync } from 'fflate';
import { fetchingMs, realSources } from '../../test-support/real-corpus';
import { temporaryFolder } from '../../test-support/temporary-folder';
import { writeModule } from '../../test-support/write-module';
import { type DefaultTranslation, defaultTranslations } from '../default-translations';
import { ensureModules } from './ensure-modules';
import { fetchFromDebian } from './fetch-from-debian';
import { fetchFromEbible } from './fetch-from-ebible';
import { fetchSources } from './fetch-sources';
import { findModules, type SourceModule } from './find-modules';
import { textModule } from './text-module';

const folder = temporaryFolder();
const translation = defaultTranslations.filter(({ module }) => module === 'spaRV1909eb');
const rv1909 = translation.map(textModule);
let zip: Buffer;
let answer: RequestListener;
let server: Server;
let mirror: string;
let count = 0;

const zipped = (root: string): Buffer => {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Buffer.from(
    zipSync(Object.fromEntries(files.map((file) => [relative(root, file), new Uint8Array(readFileSync(file))]))),
  );
};
const freshFolder = (): string => join(folder, `data${(count += 1)}`);
/** Neither programs nor installed modules: only what a test sets up. */
const bare = (): NodeJS.ProcessEnv => ({
  PATH: join(folder, 'no-programs'),
  HOME: join(folder, 'no-home'),
  LECTERN_TEXT_MIRROR: mirror,
});
const fetchZip = (dataDir: string, modules: readonly SourceModule[] = rv1909): Promise<string[]> =>
  fetchFromEbible(modules, { dataDir, env: bare(), log: () => undefined });

beforeAll(async () => {
  const conf = (await realSources()).get('spaRV1909eb') ?? '';
  const root = join(dirname(conf), '..');
  const data = join('modules', 'texts', 'ztext', 'spaRV1909eb');
  zip = Buffer.from(
    zipSync({
      'mods.d/spaRV1909eb.conf': new Uint8Array(readFileSync(conf)),
      ...Object.fromEntries(
        readdirSync(join(root, data)).map((name) => [
          join(data, name),
          new Uint8Array(readFileSync(join(root, data, name))),
        ]),
      ),
    }),
  );
  server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
  await new Promise((ready) => server.once('listening', ready));
  mirror = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sword/zip`;
}, fetchingMs);
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  answer = (_request, response) => response.end(zip);
});

test('a zip file is fetched, unpacked and put in its place, and found there afterwards', async () => {
  const dataDir = freshFolder();
  const asked: (string | undefined)[] = [];
  answer = (request, response) => {
    asked.push(request.url);
    if (asked.length === 1) response.writeHead(302, { location: '/elsewhere.zip' }).end();
    else response.end(zip);
  };
  expect(await fetchZip(dataDir)).toEqual([]);
  expect(asked).toEqual(['/sword/zip/spaRV1909eb.zip', '/elsewhere.zip']);
  expect(readdirSync(join(dataDir, 'sources'))).toEqual(['spaRV1909eb']);
  const { found, missing } = findModules(rv1909, { dataDir, env: bare(), log: () => undefined });
  expect([[...found.values()], missing]).toEqual([
    [join(dataDir, 'sources', 'spaRV1909eb', 'mods.d', 'spaRV1909eb.conf')],
    [],
  ]);
});

test.each<[string, () => RequestListener, RegExp]>([
  ['is not there', () => (_request, response) => response.writeHead(404).end(), /: HTTP 404$/],
  [
    'breaks off',
    () => (_request, response) => {
      response.writeHead(200, { 'content-length': zip.length });
      response.write(zip.subarray(0, 100_000), () => response.destroy());
    },
    /terminated|aborted|closed/,
  ],
  [
    'breaks off without having said its length',
    () => (_request, response) => {
      response.end(zip.subarray(0, 100_000));
    },
    /invalid zip/,
  ],
  [
    'is announced as too long',
    () => (_request, response) => response.writeHead(200, { 'content-length': 99_000_000 }).end(),
    /it is 99000000 bytes long; at most 32000000 are taken$/,
  ],
  ['is no zip', () => (_request, response) => response.end('<html>Welcome to this network</html>'), /invalid zip/],
  [
    'leads round in circles',
    () => (request, response) => response.writeHead(302, { location: request.url }).end(),
    /more than 5 redirects$/,
  ],
  [
    'holds another module',
    () => {
      const root = join(folder, 'other');
      writeModule(root, { name: 'Other', entries: { 'GEN 1:1': 'x' } });
      const other = zipped(root);
      return (_request, response) => response.end(other);
    },
    /does not hold the module spaRV1909eb$/,
  ],
  [
    'holds names that lead out of it',
    () => (_request, response) => response.end(Buffer.from(zipSync({ '../../evil.txt': new Uint8Array([1]) }))),
    /which leads out of its folder$/,
  ],
  [
    'holds a spoilt module',
    () => {
      const root = join(folder, 'spoilt');
      writeModule(root, { name: 'spaRV1909eb', entries: { 'GEN 1:1': 'x' }, conf: { Versification: 'NRSVA' } });
      const spoilt = zipped(root);
      return (_request, response) => response.end(spoilt);
    },
    /the file is cut off, or the versification is another$/,
  ],
])('a zip file that %s is not taken', async (_, make, message) => {
  const dataDir = freshFolder();
  answer = make();
  const faults = await fetchZip(dataDir);
  expect(faults).toEqual([expect.stringMatching(message)]);
  expect(faults[0]).toContain(`${mirror}/spaRV1909eb.zip`);
  expect(readdirSync(join(dataDir, 'sources'))).toEqual([]);
  expect(existsSync(join(folder, 'evil.txt'))).toBe(false);
});

test('an installed module is used as it is, a broken one is passed over with a warning', () => {
  const good = join(folder, 'good');
  const broken = join(folder, 'broken');
  writeModule(good, { name: 'spaRV1909eb', entries: { 'GEN 1:1': 'x', 'MAT 1:1': 'y' } });
  writeModule(broken, { name: 'spaRV1909eb', entries: {}, conf: { ModDrv: 'Odd' } });
  const lines: string[] = [];
  const { found } = findModules(rv1909, {
    dataDir: freshFolder(),
    env: { ...bare(), SWORD_PATH: `${broken}:${good}` },
    log: (line) => lines.push(line),
  });
  expect(found.get('spaRV1909eb')).toBe(join(good, 'mods.d', 'sparv1909eb.conf'));
  expect(lines).toEqual([
    expect.stringMatching(/^warning: spaRV1909eb in .*broken is not used: .*ModDrv=Odd is not supported/),
  ]);
});

test('where nothing works, the error says what was tried and what helps', async () => {
  answer = (_request, response) => response.writeHead(503).end();
  const unknown = { ...translation[0], module: 'noSuchModule' } as DefaultTranslation;
  mkdirSync(join(folder, 'no-programs'), { recursive: true });
  let message = '';
  await fetchSources([unknown], { dataDir: freshFolder(), env: bare(), log: () => undefined }).catch((error: Error) => {
    message = error.message;
  });
  expect(message.split('\n')).toEqual([
    'no text for spa-rv1909 (module noSuchModule). Tried:',
    expect.stringMatching(/^ {2}- installed modules in SWORD_PATH \(not set\), \/usr\/share\/sword and .*sources$/),
    '  - apt-get download sword-text-sparv: apt-get is not installed',
    `  - ${mirror}/noSuchModule.zip: HTTP 503`,
    'Any one of these helps:',
    '  - apt-get install sword-text-sparv',
    expect.stringContaining('SWORD_PATH=FOLDER'),
    expect.stringContaining('LECTERN_TEXT_MIRROR=URL'),
    '  - npm run corpus -- import FILE --identifier spa-rv1909 --replace, for a USFX, OSIS or Zefania file of your own',
  ]);
});

test('without apt the fault says so, and nothing is left behind', async () => {
  const dataDir = freshFolder();
  expect(await fetchFromDebian(rv1909, { dataDir, env: bare(), log: () => undefined })).toEqual([
    'apt-get download sword-text-sparv: apt-get is not installed',
  ]);
  expect(readdirSync(join(dataDir, 'sources'))).toEqual([]);
});

describe('modules that one can do without', () => {
  const alpha = {
    module: 'Alpha',
    debianPackage: 'sword-alpha',
    check: (conf: string) => (readFileSync(conf, 'utf8').includes('Spoilt') ? 'it is spoilt' : null),
  };
  const beta = { module: 'Beta', debianPackage: 'sword-beta' };

  /** Stands in for Debian: an apt-get whose packages are empty files and notes when it is asked, a dpkg-deb that unpacks `tree`. */
  function programs(tree: string): { path: string; asked: () => number } {
    const path = freshFolder();
    mkdirSync(path);
    const script = (name: string, lines: string): void =>
      writeFileSync(join(path, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
    script('apt-get', `echo "$@" >> ${join(path, 'asked')}\nshift\nfor name in "$@"; do : > "$name"_1_all.deb; done`);
    script('dpkg-deb', `/bin/mkdir -p "$3/usr/share" && /bin/cp -r ${tree} "$3/usr/share/sword"`);
    return {
      path,
      asked: () =>
        existsSync(join(path, 'asked')) ? readFileSync(join(path, 'asked'), 'utf8').trim().split('\n').length : 0,
    };
  }

  test('are fetched once, found from then on, and the one that is not to be had is absent, with a line that says what to install', async () => {
    const tree = freshFolder();
    writeModule(tree, { name: 'Alpha', entries: { 'GEN 1:1': 'x' } });
    const { path, asked } = programs(tree);
    const dataDir = freshFolder();
    const lines: string[] = [];
    const ensure = (modules: readonly SourceModule[], PATH = path) =>
      ensureModules(modules, { dataDir, env: { ...bare(), PATH }, log: (line) => lines.push(line) });
    const conf = join(dataDir, 'sources', 'Alpha', 'mods.d', 'alpha.conf');
    expect(await ensure([alpha, beta])).toEqual(new Map([['Alpha', conf]]));
    expect(lines).toEqual([
      'fetching sword-alpha, sword-beta with apt-get download',
      'warning: no module Beta: apt-get install sword-beta, or name a folder that has it in SWORD_PATH (sword-beta_1_all.deb does not hold the module Beta)',
    ]);
    expect(readdirSync(join(dataDir, 'sources'))).toEqual(['Alpha']);
    lines.length = 0;
    expect(await ensure([alpha])).toEqual(new Map([['Alpha', conf]]));
    expect([asked(), lines]).toEqual([1, []]);
    writeFileSync(conf, '[Alpha]\nDescription=Spoilt\n');
    expect(await ensure([alpha], join(folder, 'no-programs'))).toEqual(new Map());
    expect(lines).toEqual([
      `warning: Alpha in ${join(dataDir, 'sources', 'Alpha')} is not used: it is spoilt`,
      'fetching sword-alpha with apt-get download',
      'warning: no module Alpha: apt-get install sword-alpha, or name a folder that has it in SWORD_PATH (apt-get download sword-alpha: apt-get is not installed)',
    ]);
  });

  test('are no reason to fail where nothing can be written or read', async () => {
    const dataDir = freshFolder();
    writeFileSync(dataDir, 'a file where the folder should be');
    const SWORD_PATH = freshFolder();
    mkdirSync(SWORD_PATH);
    writeFileSync(join(SWORD_PATH, 'mods.d'), 'a file where the folder should be');
    const lines: string[] = [];
    expect(
      await ensureModules([beta], { dataDir, env: { ...bare(), SWORD_PATH }, log: (line) => lines.push(line) }),
    ).toEqual(new Map());
    expect(lines).toEqual([
      expect.stringMatching(/^warning: Beta in .* is not used: ENOTDIR/),
      expect.stringMatching(/^warning: no module Beta: apt-get install sword-beta.* is no folder: /),
    ]);
  });
});
