import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import type { Page } from 'playwright-core';
import { type AppFiles, serveApp } from '../support/example-reader';
import type { TestBrowser } from '../support/headless-browser';
import { accessibilityViolations, horizontalOverflow } from '../support/headless-browser';
import type { PackageDownloadProxy } from './failing-proxy';

export interface OfflineFixture {
  readonly browser: TestBrowser;
  readonly files: AppFiles;
  /** The server from which the reader downloads offline packages. */
  readonly downloads: PackageDownloadProxy;
  /** The origin of the served reader. */
  readonly origin: string;
  /** A page of the reader in which an API key is stored. */
  readonly page: Page;
}

const itemOf = (page: Page, name: string) => page.getByRole('listitem', { name });
const press = (page: Page, name: string, button: RegExp) =>
  itemOf(page, name).getByRole('button', { name: button }).click();
/** Waits until the list shows that a translation is stored in the browser. */
const stored = (page: Page, name: string) =>
  itemOf(page, name).getByRole('button', { name: 'Remove from this device' }).waitFor();
/** Waits for an alert with this text and returns its whole text. */
const alertText = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).textContent();

/**
 * Changes the offline package that the browser has stored in IndexedDB. `change` is JavaScript that
 * changes `stored` (the record) and `file` (its bytes).
 */
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

/**
 * Defines the tests of reading without a network. They share the service, the built reader and the
 * browser with the tests of reader.test.ts, because starting these takes seconds.
 */
export function testOfflineReading(fixture: () => OfflineFixture): void {
  const openDownloads = async (): Promise<OfflineFixture> => {
    const opened = fixture();
    await opened.page.setViewportSize({ width: 390, height: 800 });
    await opened.page.goto(`${opened.origin}/downloads`);
    await itemOf(opened.page, 'World English Bible').waitFor();
    return opened;
  };
  /**
   * Opens the screen Downloads, and stores the World English Bible if the browser has not stored it
   * yet.
   */
  const openWithStored = async (): Promise<OfflineFixture> => {
    const opened = await openDownloads();
    const download = itemOf(opened.page, 'World English Bible').getByRole('button');
    if ((await download.first().textContent())?.startsWith('Download')) await download.click();
    await stored(opened.page, 'World English Bible');
    await opened.page.evaluate('navigator.serviceWorker.ready');
    return opened;
  };

  // This test must be the first one: after Chromium has stored something, it ignores a change of
  // the quota for a while.
  test('the reader does not store an offline package with a changed byte or beyond the storage quota, and says why', async () => {
    const { page, downloads, origin } = await openDownloads();
    downloads.setFailure('changes a byte');
    await press(page, 'King James Version', /^Download/);
    expect(await alertText(page, 'downloaded file')).toMatch(
      /^The downloaded file is not the one that the service announced/,
    );
    downloads.setFailure('none');
    const devtools = await page.context().newCDPSession(page);
    const usage = await page.evaluate<number>('navigator.storage.estimate().then(({ usage }) => usage)');
    await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + 3_000_000 });
    await press(page, 'King James Version', /^Download/);
    expect(await alertText(page, 'room')).toMatch(/^There is no room for this translation: it needs 6\.8 MB/);
    expect(await itemOf(page, 'King James Version').textContent()).toContain('Not on this device.');
    await devtools.send('Storage.overrideQuotaForOrigin', { origin });
  });

  test('the reader starts a cancelled download again from the first byte, and continues a download after a lost connection', async () => {
    const { page, downloads } = await openDownloads();
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
    await stored(page, 'World English Bible');
    expect(downloads.requests.slice(-3)).toEqual([
      { range: undefined, authorization: undefined },
      { range: undefined, authorization: undefined },
      { range: expect.stringMatching(/^bytes=[1-9]\d*-$/), authorization: undefined },
    ]);
  });

  test('the reader shows and searches a stored translation offline, and its service worker caches only files of the app', async () => {
    const { page, origin, files } = await openWithStored();
    expect([await accessibilityViolations(page), await horizontalOverflow(page)]).toEqual([[], 0]);
    await page.context().setOffline(true);
    await page.goto(`${origin}/read/eng-web/PSA/23`);
    await page.getByText(/^The service cannot be reached\. You can read/).waitFor();
    await page.getByRole('heading', { name: 'A Psalm by David.' }).waitFor();
    expect(await page.locator('.stanza .line').count()).toBeGreaterThan(12);

    await page.goto(`${origin}/search?translation=eng-web&query=shepherd+%22green+pastures%22`);
    await page.getByText('No verse was found.').waitFor();
    await page.goto(`${origin}/search?translation=eng-web&query=SHEPHÉRD`);
    await page.getByText('56 verses found.').waitFor();
    expect(await page.locator('mark').first().textContent()).toMatch(/^shepherd$/i);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.locator('.verses li').nth(30).waitFor();

    expect((await cachedPaths(page)).filter((path) => !files.has(path))).toEqual([]);
    await page.context().setOffline(false);
    await page.getByText(/^The service cannot be reached/).waitFor({ state: 'detached' });
  });

  test('the reader shows two stored translations beside each other without a network, and says that their numbers align them', async () => {
    const { page, origin } = await openWithStored();
    await press(page, 'Reina-Valera 1909', /^Download/);
    await stored(page, 'Reina-Valera 1909');
    await page.context().setOffline(true);
    await page.goto(`${origin}/read/eng-web/PSA/23?beside=spa-rv1909`);
    await page.getByText('Verses with the same number are beside each other.').waitFor();
    const texts = await page.locator('.parallel .printed').allTextContents();
    expect(texts.slice(2, 4)).toEqual([expect.stringMatching(/^2He makes/), expect.stringMatching(/^2En lugares/)]);
    await page.goto(`${origin}/read/spa-rv1909/JHN/22`);
    await page.getByText('Juan has no chapter 22').waitFor();
    await page.context().setOffline(false);
    await page.goto(`${origin}/downloads`);
    await press(page, 'Reina-Valera 1909', /^Remove/);
  });

  test('the reader says what to do if the stored file is damaged or has a later schema version, and offers an update', async () => {
    const { page, origin } = await openWithStored();
    await page.context().setOffline(true);
    await changeStored(page, 'eng-web', 'file = file.slice(0, 1_000_000)');
    await page.goto(`${origin}/read/eng-web/JHN/3`);
    expect(await alertText(page, 'damaged')).toMatch(
      /^The stored file of “World English Bible” is damaged\. Remove the translation/,
    );
    await changeStored(page, 'eng-web', storeFile(packageOfVersion(3)));
    await page.reload();
    expect(await alertText(page, 'version')).toContain('has version 3, and this reader understands versions up to 2');

    await page.context().setOffline(false);
    await page.goto(`${origin}/downloads`);
    await press(page, 'World English Bible', /^Update \(3\.6 MB\)$/);
    await stored(page, 'World English Bible');
    await page.goto(`${origin}/read/eng-web/JHN/3`);
    await page.getByRole('link', { name: 'John 4' }).waitFor();
  });

  test('the reader runs its old version from the service worker until the user presses Reload for the new version', async () => {
    const { browser, files } = fixture();
    const served = olderVersion(files);
    const server = await serveApp(served);
    const { page, close } = await browser.open(`${server.origin}/settings`);
    const script = () => page.locator('script[src]').getAttribute('src');
    await page.evaluate('navigator.serviceWorker.ready');

    served.clear();
    for (const [path, content] of files) served.set(path, content);
    await page.reload();
    await page.getByText('A new version of the reader is ready.').waitFor();
    expect(await script()).toBe('/assets/older.js');

    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Reload' }).click()]);
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(await script()).not.toBe('/assets/older.js');
    expect(await page.evaluate('caches.keys().then((names) => names.length)')).toBe(1);
    await close();
    await server.close();
  });

  test('the screen Downloads of the reader says why a browser without DecompressionStream cannot store translations', async () => {
    const { page: shared, origin } = fixture();
    const page = await shared.context().newPage();
    await page.addInitScript('delete globalThis.DecompressionStream');
    await page.goto(`${origin}/downloads`);
    expect(await alertText(page, 'browser')).toMatch(
      /^This browser cannot store translations: it has no DecompressionStream/,
    );
    await page.close();
  });
}

/** Returns the URL paths of all responses that service workers have cached. */
const cachedPaths = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(async () => {
    const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)));
    return (await Promise.all(caches.map((cache) => cache.keys()))).flat().map(({ url }) => new URL(url).pathname);
  })()`);

/**
 * Returns a gzipped SQLite file with the `application_id` of offline packages, the schema version
 * `version` and no verses, and the size of the file before compression.
 */
function packageOfVersion(version: number): { gzipped: Buffer; bytes: number } {
  const db = new Database(':memory:');
  db.exec(`PRAGMA application_id = ${0x42514c31}; PRAGMA user_version = ${version}; CREATE TABLE meta (key, value)`);
  const content = db.serialize();
  db.close();
  return { gzipped: gzipSync(content), bytes: content.length };
}

/** Returns a `change` for `changeStored` that replaces the stored file. */
const storeFile = ({ gzipped, bytes }: { gzipped: Buffer; bytes: number }): string => `
  file = Uint8Array.from(atob('${gzipped.toString('base64')}'), (character) => character.charCodeAt(0)).buffer;
  stored.offer = { ...stored.offer, sha256: '${sha256(gzipped, 'hex')}', uncompressedSizeBytes: ${bytes} };`;

const sha256 = (content: Buffer, encoding: 'hex' | 'base64'): string =>
  createHash('sha256').update(content).digest(encoding);

/**
 * Returns the built files with another name of the script and another version, as an older version
 * of the app.
 */
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
