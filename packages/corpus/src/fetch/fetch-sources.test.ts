import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { zipSync } from 'fflate';
import { temporaryFolder } from '../../test-support/temporary-folder';
import { writeDefaultModules } from '../../test-support/write-default-modules';
import { writeModule } from '../../test-support/write-module';
import { type DefaultTranslation, defaultTranslations, moduleOfTranslation } from '../default-translations';
import { fetchFromDebian } from './debian';
import { fetchFromEbible } from './ebible';
import { fetchOptionalModules, fetchSources } from './fetch-sources';
import { type FetchOptions, findModules, type SourceModule } from './modules';

const folder = temporaryFolder();
const rv1909Translation = defaultTranslations.filter(({ module }) => module === 'spaRV1909eb');
const rv1909 = rv1909Translation.map(moduleOfTranslation);
let zip: Buffer;
let respond: RequestListener;
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
const newFolder = (): string => join(folder, `data${(count += 1)}`);
/**
 * Returns options with which no program and no installed module is found, so that nothing on this
 * machine changes a result.
 */
const isolated = (
  dataDir: string,
  { env = {}, log = () => undefined }: { env?: NodeJS.ProcessEnv; log?: (line: string) => void } = {},
): FetchOptions => ({
  dataDir,
  env: { PATH: join(folder, 'no-programs'), HOME: join(folder, 'no-home'), LECTERN_TEXT_MIRROR: mirror, ...env },
  swordRoots: [],
  log,
});
const fetchZip = (dataDir: string): Promise<string[]> => fetchFromEbible(rv1909, isolated(dataDir));

beforeAll(async () => {
  const root = newFolder();
  writeDefaultModules(root);
  zip = zipped(root);
  server = createServer((request, response) => respond(request, response)).listen(0, '127.0.0.1');
  await new Promise((ready) => server.once('listening', ready));
  mirror = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sword/zip`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  respond = (_request, response) => response.end(zip);
});

test('fetchFromEbible downloads the zip file of a SWORD module through a redirect, and unpacks the module for findModules', async () => {
  const dataDir = newFolder();
  const requested: (string | undefined)[] = [];
  respond = (request, response) => {
    requested.push(request.url);
    if (requested.length === 1) response.writeHead(302, { location: '/elsewhere.zip' }).end();
    else response.end(zip);
  };
  expect(await fetchZip(dataDir)).toEqual([]);
  expect(requested).toEqual(['/sword/zip/spaRV1909eb.zip', '/elsewhere.zip']);
  expect(readdirSync(join(dataDir, 'sources'))).toEqual(['spaRV1909eb']);
  const { found, missing } = findModules(rv1909, isolated(dataDir));
  expect([[...found.values()], missing]).toEqual([
    [join(dataDir, 'sources', 'spaRV1909eb', 'mods.d', 'sparv1909eb.conf')],
    [],
  ]);
});

test.each<[string, () => RequestListener, RegExp]>([
  ['does not exist', () => (_request, response) => response.writeHead(404).end(), /: HTTP 404$/],
  [
    'ends before its announced length',
    () => (_request, response) => {
      response.writeHead(200, { 'content-length': zip.length });
      response.write(zip.subarray(0, zip.length / 2), () => response.destroy());
    },
    /terminated|aborted|closed/,
  ],
  [
    'ends early without an announced length',
    () => (_request, response) => {
      response.end(zip.subarray(0, zip.length / 2));
    },
    /invalid zip/,
  ],
  [
    'is announced as too long',
    () => (_request, response) => response.writeHead(200, { 'content-length': 99_000_000 }).end(),
    /the file has 99000000 bytes, and the maximum is 32000000$/,
  ],
  [
    'is not a zip file',
    () => (_request, response) => response.end('<html>Welcome to this network</html>'),
    /invalid zip/,
  ],
  [
    'redirects in a circle',
    () => (request, response) => response.writeHead(302, { location: request.url }).end(),
    /more than 5 redirects$/,
  ],
  [
    'contains another module',
    () => {
      const root = join(folder, 'other');
      writeModule(root, { name: 'Other', entries: { 'GEN 1:1': 'x' } });
      const other = zipped(root);
      return (_request, response) => response.end(other);
    },
    /does not hold the module spaRV1909eb$/,
  ],
  [
    'contains file names outside its folder',
    () => (_request, response) => response.end(Buffer.from(zipSync({ '../../evil.txt': new Uint8Array([1]) }))),
    /invalid relative path: \.\.\/\.\.\/evil\.txt$/,
  ],
  [
    'contains a file larger than the directory of the zip file says',
    () => {
      const bomb = Buffer.from(zipSync({ 'a.txt': new Uint8Array(1_000_000) }));
      // The size stands at byte 24 of the entry in the directory, and at byte 22 of the header of the file.
      bomb.writeUInt32LE(10, bomb.lastIndexOf('PK\u0001\u0002') + 24);
      bomb.writeUInt32LE(10, 22);
      return (_request, response) => response.end(bomb);
    },
    /too many bytes in the stream/,
  ],
  [
    'unpacks to more than 128 MB',
    () => {
      const bomb = Buffer.from(zipSync({ 'a.txt': new Uint8Array(1) }));
      bomb.writeUInt32LE(129_000_000, bomb.lastIndexOf('PK\u0001\u0002') + 24);
      return (_request, response) => response.end(bomb);
    },
    /: it unpacks to more than 128000000 bytes$/,
  ],
  [
    'contains a damaged module',
    () => {
      const root = join(folder, 'damaged');
      writeModule(root, { name: 'spaRV1909eb', entries: { 'GEN 1:1': 'x' }, conf: { Versification: 'NRSVA' } });
      const damaged = zipped(root);
      return (_request, response) => response.end(damaged);
    },
    /the file is cut off, or the versification is another$/,
  ],
])('fetchFromEbible rejects a download that %s, says why, and leaves no files', async (_, make, message) => {
  const dataDir = newFolder();
  respond = make();
  const errors = await fetchZip(dataDir);
  expect(errors).toEqual([expect.stringMatching(message)]);
  expect(errors[0]).toContain(`${mirror}/spaRV1909eb.zip`);
  expect(readdirSync(join(dataDir, 'sources'))).toEqual([]);
  expect(existsSync(join(folder, 'evil.txt'))).toBe(false);
});

test('findModules skips an unusable SWORD module with a warning, and finds an intact module of the same name', () => {
  const good = join(folder, 'good');
  const broken = join(folder, 'broken');
  writeModule(good, { name: 'spaRV1909eb', entries: { 'GEN 1:1': 'x', 'MAT 1:1': 'y' } });
  writeModule(broken, { name: 'spaRV1909eb', entries: {}, conf: { ModDrv: 'Odd' } });
  const lines: string[] = [];
  const { found } = findModules(
    rv1909,
    isolated(newFolder(), { env: { SWORD_PATH: `${broken}:${good}` }, log: (line) => lines.push(line) }),
  );
  expect(found.get('spaRV1909eb')).toBe(join(good, 'mods.d', 'sparv1909eb.conf'));
  expect(lines).toEqual([
    expect.stringMatching(/^warning: spaRV1909eb in .*broken is not used: .*ModDrv=Odd is not supported/),
  ]);
});

test('if every source fails, the error of fetchSources lists all attempts and remedies', async () => {
  respond = (_request, response) => response.writeHead(503).end();
  const unknown = { ...rv1909Translation[0], module: 'noSuchModule' } as DefaultTranslation;
  mkdirSync(join(folder, 'no-programs'), { recursive: true });
  let message = '';
  await fetchSources([unknown], { ...isolated(newFolder()), swordRoots: [join(folder, 'no-modules')] }).catch(
    (error: Error) => {
      message = error.message;
    },
  );
  expect(message.split('\n')).toEqual([
    'no text for spa-rv1909 (module noSuchModule). Tried:',
    expect.stringMatching(/^ {2}- installed modules in SWORD_PATH \(not set\), .*no-modules, .*sources$/),
    '  - apt-get download sword-text-sparv: apt-get is not installed',
    `  - ${mirror}/noSuchModule.zip: HTTP 503`,
    'Any one of these helps:',
    '  - apt-get install sword-text-sparv',
    expect.stringContaining('SWORD_PATH=FOLDER'),
    expect.stringContaining('LECTERN_TEXT_MIRROR=URL'),
    '  - npm run corpus -- import FILE --identifier spa-rv1909 --replace, for a Bible of your own',
  ]);
});

test('fetchFromDebian returns an error and leaves no files if apt-get is not installed', async () => {
  const dataDir = newFolder();
  expect(await fetchFromDebian(rv1909, isolated(dataDir))).toEqual([
    'apt-get download sword-text-sparv: apt-get is not installed',
  ]);
  expect(readdirSync(join(dataDir, 'sources'))).toEqual([]);
});

describe('fetchOptionalModules', () => {
  const alpha = {
    module: 'Alpha',
    debianPackage: 'sword-alpha',
    check: (conf: string) => (readFileSync(conf, 'utf8').includes('Damaged') ? 'it is damaged' : null),
  };
  const beta = { module: 'Beta', debianPackage: 'sword-beta' };

  /**
   * Creates fake programs: an apt-get that counts its calls and makes empty packages, a dpkg-deb
   * that copies `tree`.
   */
  function programs(tree: string): { path: string; calls: () => number } {
    const path = newFolder();
    mkdirSync(path);
    const script = (name: string, lines: string): void =>
      writeFileSync(join(path, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
    script('apt-get', `echo "$@" >> ${join(path, 'calls')}\nshift\nfor name in "$@"; do : > "$name"_1_all.deb; done`);
    script('dpkg-deb', `/bin/mkdir -p "$3/usr/share" && /bin/cp -r ${tree} "$3/usr/share/sword"`);
    return {
      path,
      calls: () =>
        existsSync(join(path, 'calls')) ? readFileSync(join(path, 'calls'), 'utf8').trim().split('\n').length : 0,
    };
  }

  test('fetchOptionalModules downloads each module once, and warns about a damaged module or a failed download', async () => {
    const tree = newFolder();
    writeModule(tree, { name: 'Alpha', entries: { 'GEN 1:1': 'x' } });
    const { path, calls } = programs(tree);
    const dataDir = newFolder();
    const lines: string[] = [];
    const ensure = (modules: readonly SourceModule[], PATH = path) =>
      fetchOptionalModules(modules, isolated(dataDir, { env: { PATH }, log: (line) => lines.push(line) }));
    const conf = join(dataDir, 'sources', 'Alpha', 'mods.d', 'alpha.conf');
    expect(await ensure([alpha, beta])).toEqual(new Map([['Alpha', conf]]));
    expect(lines).toEqual([
      'fetching sword-alpha, sword-beta with apt-get download',
      'warning: no module Beta: apt-get install sword-beta, or name a folder that has it in SWORD_PATH (sword-beta_1_all.deb does not hold the module Beta)',
    ]);
    expect(readdirSync(join(dataDir, 'sources'))).toEqual(['Alpha']);
    lines.length = 0;
    expect(await ensure([alpha])).toEqual(new Map([['Alpha', conf]]));
    expect([calls(), lines]).toEqual([1, []]);
    writeFileSync(conf, '[Alpha]\nDescription=Damaged\n');
    expect(await ensure([alpha], join(folder, 'no-programs'))).toEqual(new Map());
    expect(lines).toEqual([
      `warning: Alpha in ${join(dataDir, 'sources', 'Alpha')} is not used: it is damaged`,
      'fetching sword-alpha with apt-get download',
      'warning: no module Alpha: apt-get install sword-alpha, or name a folder that has it in SWORD_PATH (apt-get download sword-alpha: apt-get is not installed)',
    ]);
  });

  test('fetchOptionalModules with LECTERN_DOWNLOADS=off downloads nothing, and says which command does', async () => {
    const { path, calls } = programs(newFolder());
    const lines: string[] = [];
    const env = { PATH: path, LECTERN_DOWNLOADS: 'off' };
    await fetchOptionalModules([beta], isolated(newFolder(), { env, log: (line) => lines.push(line) }));
    expect([calls(), lines]).toEqual([
      0,
      [expect.stringMatching(/^warning: no module Beta: .* \(`npm run data` downloads it\)$/)],
    ]);
  });

  test('fetchOptionalModules warns instead of failing if the folder SWORD_PATH is unreadable and the data folder is not writable', async () => {
    const dataDir = newFolder();
    writeFileSync(dataDir, 'a file where the folder should be');
    const SWORD_PATH = newFolder();
    mkdirSync(SWORD_PATH);
    writeFileSync(join(SWORD_PATH, 'mods.d'), 'a file where the folder should be');
    const lines: string[] = [];
    expect(
      await fetchOptionalModules([beta], isolated(dataDir, { env: { SWORD_PATH }, log: (line) => lines.push(line) })),
    ).toEqual(new Map());
    expect(lines).toEqual([
      expect.stringMatching(/^warning: Beta in .* is not used: ENOTDIR/),
      expect.stringMatching(/^warning: no module Beta: apt-get install sword-beta.* is not a folder: /),
    ]);
  });
});
