import { createHash } from 'node:crypto';
import { request, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import type { BrowserContext, Page } from 'playwright-core';
import { type AppFiles, buildReader, listen, serveApp } from '../support/built-reader';
import { type EmbeddedLectern, startEmbeddedLectern } from '../support/embedded-lectern';
import { accessibilityViolations, findBrowser, horizontalOverflow, launchChromium } from '../support/headless-browser';

type Listening = Awaited<ReturnType<typeof listen>>;

/** What happens to the packages on their way to the browser. */
type Failure = 'none' | 'stops after the first bytes' | 'changes a byte';

/** Forwards requests for packages to the service, with the failure that is set. */
async function startDownloads(target: () => string) {
  const requests: { range: string | undefined; authorization: string | undefined }[] = [];
  const stopped = new Set<ServerResponse>();
  let failure: Failure = 'none';
  const server = await listen(({ url = '', method = '', headers }, response) => {
    const { range, authorization } = headers;
    if (method === 'GET') requests.push({ range, authorization });
    request(`${target()}${url}`, { method, headers, agent: false }, (upstream) => {
      response.writeHead(upstream.statusCode ?? 0, upstream.headers);
      upstream.on('data', (chunk: Buffer) => {
        if (failure === 'changes a byte') chunk[0] = 255 - (chunk[0] ?? 0);
        response.write(chunk);
        if (failure !== 'stops after the first bytes') return;
        stopped.add(response);
        upstream.destroy();
      });
      upstream.on('end', () => response.end());
    }).end();
  });
  return {
    ...server,
    requests,
    setFailure: (next: Failure): void => {
      failure = next;
    },
    /** Closes the connections of the downloads that have stopped. */
    cutOff: (): void => stopped.forEach((response) => response.destroy()),
  };
}

const program = findBrowser();
(program === null ? describe.skip : describe)('the example reader without a network', () => {
  let lectern: EmbeddedLectern;
  let downloads: Awaited<ReturnType<typeof startDownloads>>;
  let app: Listening;
  let files: AppFiles;
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  beforeAll(async () => {
    downloads = await startDownloads(() => lectern.origin);
    lectern = await startEmbeddedLectern({ offlineBaseUrl: downloads.origin });
    files = buildReader();
    app = await serveApp(files);
    browser = await launchChromium(program ?? '');
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([app.close(), downloads.close(), lectern.close()]);
  });

  /** Opens a page of a new user who has entered the key. `problems` are what the browser reports. */
  async function openReader(
    path: string,
    origin = app.origin,
  ): Promise<{ context: BrowserContext; page: Page; problems: string[] }> {
    const context = await browser.newContext({ viewport: { width: 390, height: 800 }, reducedMotion: 'reduce' });
    const settings = JSON.stringify({ url: lectern.url, key: lectern.token });
    await context.addInitScript(`localStorage['lectern-reader'] ??= ${JSON.stringify(settings)}`);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    await page.goto(origin + path);
    return { context, page, problems };
  }

  const itemOf = (page: Page, name: string) => page.getByRole('listitem', { name });
  const press = (page: Page, name: string, button: RegExp) =>
    itemOf(page, name).getByRole('button', { name: button }).click();
  /** Waits for an alert with this text and returns its whole text. */
  const alertText = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).textContent();

  /** Changes a stored package. `change` has statements that change `stored` and `file`. */
  const changeStored = (page: Page, identifier: string, change: string) =>
    page.evaluate(`(async () => {
      const finished = (request) => new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      const database = await finished(indexedDB.open('lectern-reader'));
      const packages = (mode) => database.transaction('packages', mode).objectStore('packages');
      const stored = await finished(packages('readonly').get('package:${identifier}'));
      let file = await finished(packages('readonly').get('file:${identifier}'));
      ${change}
      await finished(packages('readwrite').put(stored, 'package:${identifier}'));
      await finished(packages('readwrite').put(file, 'file:${identifier}'));
    })()`);

  test('a translation whose download was cancelled, then cut off, then continued is stored, and read and searched without a network', async () => {
    const { context, page, problems } = await openReader('/downloads');
    downloads.setFailure('stops after the first bytes');
    await press(page, 'World English Bible', /^Download for offline use \(3\.6 MB\)$/);
    const progress = itemOf(page, 'World English Bible').getByText(/^[1-9]\d* kB of 3\.6 MB$/);
    await progress.waitFor();
    await press(page, 'World English Bible', /^Cancel$/);
    await press(page, 'World English Bible', /^Download/);
    await progress.waitFor();
    downloads.cutOff();
    expect(await alertText(page, 'connection')).toMatch(/^The connection was lost after .* of 3\.6 MB/);
    downloads.setFailure('none');
    await press(page, 'World English Bible', /^Continue/);
    await itemOf(page, 'World English Bible')
      .getByText(/^On this device, 3\.6 MB/)
      .waitFor();
    expect(downloads.requests).toEqual([
      { range: undefined, authorization: undefined },
      { range: undefined, authorization: undefined },
      { range: expect.stringMatching(/^bytes=[1-9]\d*-$/), authorization: undefined },
    ]);
    expect([await accessibilityViolations(page), await horizontalOverflow(page)]).toEqual([[], 0]);
    await page.evaluate('navigator.serviceWorker.ready');
    expect(problems.splice(0)).toEqual([expect.stringContaining('ERR_CONTENT_LENGTH_MISMATCH')]);

    await context.setOffline(true);
    await page.goto(`${app.origin}/read/eng-web/PSA/23`);
    await page.getByText(/^The service cannot be reached\. You can read/).waitFor();
    await page.getByRole('heading', { name: 'A Psalm by David.' }).waitFor();
    expect(await page.locator('.stanza .line').count()).toBeGreaterThan(12);

    await page.goto(`${app.origin}/search?translation=eng-web&query=shepherd+%22green+pastures%22`);
    await page.getByText('No verse was found.').waitFor();
    await page.goto(`${app.origin}/search?translation=eng-web&query=SHEPHÉRD`);
    await page.getByText('56 verses found.').waitFor();
    expect(await page.locator('mark').first().textContent()).toMatch(/^shepherd$/i);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.locator('.verses li').nth(30).waitFor();
    // A page may send requests before Chromium tells it that there is no network.
    expect(problems.filter((problem) => !problem.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);

    const cached = await page.evaluate<string[]>(`(async () => {
      const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)));
      return (await Promise.all(caches.map((cache) => cache.keys()))).flat().map(({ url }) => new URL(url).pathname);
    })()`);
    expect(cached).toContain('/index.html');
    expect(cached.filter((path) => !files.has(path))).toEqual([]);

    await context.setOffline(false);
    await page.getByText(/^The service cannot be reached/).waitFor({ state: 'detached' });
    await context.close();
  });

  test('a package with a changed byte, and a package for which the device has no room, are not stored and say why', async () => {
    const { context, page } = await openReader('/downloads');
    downloads.setFailure('changes a byte');
    await press(page, 'King James Version', /^Download/);
    expect(await alertText(page, 'downloaded file')).toMatch(
      /^The downloaded file is not the one that the service announced/,
    );
    downloads.setFailure('none');
    const devtools = await context.newCDPSession(page);
    await devtools.send('Storage.overrideQuotaForOrigin', { origin: app.origin, quotaSize: 3_000_000 });
    await press(page, 'King James Version', /^Download/);
    expect(await alertText(page, 'room')).toMatch(/^There is no room for this translation: it needs 6\.8 MB/);
    expect(await itemOf(page, 'King James Version').textContent()).toContain('Not on this device.');
    await context.close();
  });

  test('a stored file that is damaged or of a later version says what to do, and a newer package is offered', async () => {
    const { context, page } = await openReader('/downloads');
    await press(page, 'World English Bible', /^Download/);
    await press(page, 'World English Bible', /^Remove from this device/);
    await press(page, 'World English Bible', /^Download/);
    await itemOf(page, 'World English Bible')
      .getByText(/^On this device/)
      .waitFor();
    await page.evaluate('navigator.serviceWorker.ready');
    await context.setOffline(true);

    await changeStored(page, 'eng-web', 'file = file.slice(0, 1_000_000)');
    await page.goto(`${app.origin}/read/eng-web/JHN/3`);
    expect(await alertText(page, 'damaged')).toMatch(
      /^The stored file of “World English Bible” is damaged\. Remove the translation/,
    );

    await changeStored(page, 'eng-web', storeFile(packageOfVersion(3)));
    await page.reload();
    expect(await alertText(page, 'version')).toContain('has version 3, and this reader understands versions up to 2');

    await context.setOffline(false);
    await page.goto(`${app.origin}/downloads`);
    await press(page, 'World English Bible', /^Update \(3\.6 MB\)$/);
    await itemOf(page, 'World English Bible')
      .getByText(/^On this device, 3\.6 MB/)
      .waitFor();
    await context.close();
  });

  test('a service worker of an older version goes on with its own files until the user changes to the new version', async () => {
    const served = olderVersion(files);
    const changing = await serveApp(served);
    const { context, page } = await openReader('/settings', changing.origin);
    const script = () => page.locator('script[src]').getAttribute('src');
    await page.evaluate('navigator.serviceWorker.ready');

    served.clear();
    for (const [path, content] of files) served.set(path, content);
    await page.reload();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(await script()).toBe('/assets/older.js');
    await page.getByText('A new version of the reader is ready.').waitFor();
    await page.reload();
    expect(await script()).toBe('/assets/older.js');

    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Reload' }).click()]);
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(await script()).not.toBe('/assets/older.js');
    expect(await page.evaluate('caches.keys().then((names) => names.length)')).toBe(1);
    await context.close();
    await changing.close();
  });

  test('in a browser without DecompressionStream the screen Downloads says why nothing can be stored', async () => {
    const context = await browser.newContext();
    await context.addInitScript('delete globalThis.DecompressionStream');
    const page = await context.newPage();
    await page.goto(`${app.origin}/downloads`);
    expect(await alertText(page, 'browser')).toMatch(
      /^This browser cannot store translations: it has no DecompressionStream/,
    );
    await context.close();
  });
});

/** Returns a gzipped package of a schema version, without tables. */
function packageOfVersion(version: number): { gzipped: Buffer; bytes: number } {
  const db = new Database(':memory:');
  db.exec(`PRAGMA application_id = ${0x42514c31}; PRAGMA user_version = ${version}; CREATE TABLE meta (key, value)`);
  const content = db.serialize();
  db.close();
  return { gzipped: gzipSync(content), bytes: content.length };
}

/** Returns the change of a stored package that puts another file in the place of its file. */
const storeFile = ({ gzipped, bytes }: { gzipped: Buffer; bytes: number }): string => `
  file = Uint8Array.from(atob('${gzipped.toString('base64')}'), (character) => character.charCodeAt(0)).buffer;
  stored.offer = { ...stored.offer, sha256: '${sha256(gzipped, 'hex')}', uncompressedSizeBytes: ${bytes} };`;

const sha256 = (content: Buffer, encoding: 'hex' | 'base64'): string =>
  createHash('sha256').update(content).digest(encoding);

/** Returns the app with another name of its script, as an older version of it would have. */
function olderVersion(files: AppFiles): AppFiles {
  const textOf = (path: string): string => files.get(path)?.toString() ?? '';
  const script = /src="(\/assets\/index-[^"]+\.js)"/.exec(textOf('/index.html'))?.[1] ?? '';
  const page = Buffer.from(textOf('/index.html').replaceAll(script, '/assets/older.js'));
  const worker = textOf('/service-worker.js')
    .replaceAll(script.slice(1), 'assets/older.js')
    .replace(sha256(files.get('/index.html') ?? page, 'base64'), sha256(page, 'base64'))
    .replace(/const version = "\w+"/, 'const version = "older"');
  const older = new Map(files);
  older.delete(script);
  return older
    .set('/index.html', page)
    .set('/assets/older.js', files.get(script) ?? page)
    .set('/service-worker.js', Buffer.from(worker));
}
