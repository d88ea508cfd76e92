import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '@lectern/testing';
import type { Page } from 'playwright-core';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { type AppFiles, buildReader, type listen, serveApp } from '../support/example-reader';
import type { OpenPage, TestBrowser } from '../support/headless-browser';
import { accessibilityViolations, findBrowser, horizontalOverflow, startBrowser } from '../support/headless-browser';
import { waitUntil } from '../support/processes';
import { type PackageDownloadProxy, startPackageDownloadProxy } from './failing-proxy';
import { testOfflineReading } from './reader-offline-tests';
import { testOriginalWords } from './reader-originals-tests';
import { writeOriginalPictures, writePictures } from './reader-screenshots';

/** The path of each screen, and a text of the screen. */
const screens: readonly (readonly [path: string, text: string])[] = [
  ['/', 'Verse of the day'],
  ['/read/eng-web', 'Old Testament'],
  ['/read/eng-web/PSA/23', 'Psalm 24 →'],
  ['/read/eng-web/JHN/30', 'John has no chapter 30'],
  ['/read/eng-kjv/JHN/3?beside=spa-rv1909', 'Reina-Valera 1909. '],
  ['/verse/eng-kjv/JHN/3/16', 'Cross references'],
  ['/search?query=shepherd&mode=WORDS', 'verses found'],
  ['/word?translation=eng-kjv&word=shepherd', 'Genesis 46:32'],
  ['/strongs?translation=eng-kjv&number=G4166', 'ποιμήν'],
  ['/topics?query=shepherd', 'topics.'],
  ['/topic?name=SHEPHERD', 'Nave'],
  ['/downloads', 'Download for offline use (3.6 MB)'],
  ['/settings', 'Address of the service'],
  ['/no-such-page', 'No such page'],
];

/** Each screen in light and in dark colours. */
const colouredScreens = screens.flatMap(([path, text]) =>
  (['light', 'dark'] as const).map((colours) => [path, colours, text] as const),
);

const program = findBrowser();
(program === null ? describe.skip : describe)('the example reader', () => {
  let lectern: EmbeddedLectern;
  let downloads: PackageDownloadProxy;
  let files: AppFiles;
  let reader: Awaited<ReturnType<typeof listen>>;
  let browser: TestBrowser;
  /** The browser page that the tests share. The reader has stored an API key in it. */
  let page: Page;
  let problems: readonly string[];
  let requestsEnded: OpenPage['requestsEnded'];
  beforeAll(async () => {
    downloads = await startPackageDownloadProxy(() => lectern.origin);
    lectern = await startEmbeddedLectern({ offlineBaseUrl: downloads.origin });
    // Vite writes environment variables with the prefix VITE_ into the bundle.
    process.env['VITE_LECTERN_URL'] = lectern.url;
    files = buildReader();
    reader = await serveApp(files);
    browser = await startBrowser(program ?? '');
    ({ page, problems, requestsEnded } = await browser.open(`${reader.origin}/settings`));
    await enterKey(page, lectern.token);
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([reader.close(), downloads.close()]);
    await lectern.close();
  });

  /** Opens a screen as a link of the reader does: without loading the page again. */
  const open = async (path: string, text: string) => {
    await page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
    );
    await page.getByText(text).first().waitFor();
  };
  /**
   * Waits for all data of a screen. A screen that is left earlier cancels its requests, and the
   * browser reports this in `problems`.
   */
  const dataLoaded = async () => {
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    await requestsEnded();
  };
  const styleOf = (selector: string, property: string): Promise<string> =>
    page.evaluate<string>(
      `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).getPropertyValue('${property}')`,
    );

  test('the example reader asks for an API key, says why a wrong key and a wrong address fail, and stores a valid key', async () => {
    const opened = await browser.open(reader.origin);
    await opened.page.getByRole('heading', { name: 'Enter your key' }).waitFor();
    await enterKey(opened.page, 'svc_test_wrong');
    await opened.page.getByRole('alert').filter({ hasText: 'does not accept this key' }).waitFor();
    await opened.page.getByLabel('Address of the service').fill(`${reader.origin}/graphql`);
    await enterKey(opened.page, lectern.token);
    await opened.page.getByRole('alert').filter({ hasText: 'Something other than a Lectern service' }).waitFor();
    await opened.page.getByLabel('Address of the service').fill(lectern.url);
    await enterKey(opened.page, lectern.token);
    await opened.page.getByRole('heading', { name: 'Verse of the day' }).waitFor();
    await opened.page.reload();
    await opened.page.locator('blockquote').waitFor();
    expect(await opened.page.getByLabel('API key').count()).toBe(0);
    await opened.close();
  });

  test.each(colouredScreens)(
    'the screen %s on a phone with %s colours has no overflow, no browser errors and no accessibility violations',
    async (path, colorScheme, text) => {
      const before = problems.length;
      await page.setViewportSize({ width: 390, height: 800 });
      await page.emulateMedia({ colorScheme });
      await open(path, text);
      await dataLoaded();
      expect([await horizontalOverflow(page), await accessibilityViolations(page)]).toEqual([0, []]);
      expect(problems.slice(before).filter((problem) => problem !== `other origin: ${lectern.url}`)).toEqual([]);
    },
  );

  test('the chapter screen of Psalm 23 shows the title of the psalm, lines of poetry, and links to the chapters before and after', async () => {
    await open('/read/eng-web/PSA/23', 'Psalm 24 →');
    expect(await page.locator('.psalm-title').textContent()).toBe('A Psalm by David.');
    expect(await page.locator('.stanza .line').count()).toBeGreaterThan(12);
    expect(await styleOf('.line:nth-of-type(1)', 'padding-inline-start')).not.toBe(
      await styleOf('.line:nth-of-type(2)', 'padding-inline-start'),
    );
    expect(await page.getByRole('link', { name: 'Psalm 22' }).count()).toBe(1);
    await page.getByRole('link', { name: 'Psalm 24' }).click();
    await page.getByRole('heading', { level: 1, name: 'Psalm 24' }).waitFor();
    await waitUntil(async () => (await page.title()) === 'Psalm 24 · Reader');
    await page.waitForSelector('main:focus');
  });

  test('the chapter screen of John 3 has the words of Jesus in red, and a note opens and closes by keyboard', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await open('/read/eng-web/JHN/3', 'John 4 →');
    expect(await styleOf('.words-of-jesus', 'color')).toBe('rgb(164, 22, 26)');
    const note = page.getByRole('note', { name: 'Note a' });
    const marker = page.getByRole('button', { name: 'Note a', exact: true });
    await marker.focus();
    await page.keyboard.press('Enter');
    await note.waitFor();
    expect(await note.textContent()).toContain('anew');
    expect(await note.getByRole('link').textContent()).toBe('John 3:7');
    await page.keyboard.press('Escape');
    await note.waitFor({ state: 'hidden' });
    await marker.and(page.locator(':focus')).waitFor();
  });

  test('the chapter screen shows two translations beside each other in a wide window, and below each other on a phone', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await open('/read/eng-kjv/JHN/3', 'King James Version. ');
    await page.getByLabel('Beside it').focus();
    await page.getByLabel('Beside it').selectOption('spa-rv1909');
    const [first, second] = [page.locator('.parallel .printed').nth(0), page.locator('.parallel .printed').nth(1)];
    await second.getByText('Nicodemo').first().waitFor();
    expect(await page.evaluate('document.activeElement.labels[0].firstChild.textContent')).toBe('Beside it');
    expect((await second.boundingBox())?.x).toBeGreaterThan((await first.boundingBox())?.width ?? Infinity);
    await page.setViewportSize({ width: 390, height: 800 });
    expect((await second.boundingBox())?.x).toBe((await first.boundingBox())?.x);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('the search screen marks found words, shows the next page, suggests a correction, and names ignored words', async () => {
    await open('/', 'Verse of the day');
    await page.getByRole('searchbox').fill('God so loved the wurld');
    await page.getByLabel('Search for').selectOption('WORDS');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('were left out: so, the, wurld').waitFor();
    expect(await page.locator('mark').first().textContent()).toBe('God');
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.locator('.verses li').nth(30).waitFor();
    await page.getByRole('link', { name: 'God so loved the world' }).click();
    await page.getByText('verse found').waitFor();
    await page.getByRole('link', { name: 'John 3:16' }).click();
    await page.locator('.printed .selected').first().waitFor();
    expect(await styleOf('.selected', 'color')).toBe(await styleOf('.words-of-jesus', 'color'));
  });

  test('the search form of the reader shows the mode of the address, and keeps it in the next search', async () => {
    await open('/search?translation=eng-kjv&query=shepherd&mode=WORDS', '74 verses found');
    expect(await page.getByLabel('Search for').inputValue()).toBe('WORDS');
    await page.getByRole('searchbox').fill('green pastures');
    await page.keyboard.press('Enter');
    await page.getByText('2 verses found').waitFor();
    expect(await page.evaluate('new URLSearchParams(location.search).get("mode")')).toBe('WORDS');
  });

  test('the chapter screen says which chapters or books there are if the address has another one', async () => {
    await open('/read/eng-web/JHN/30', 'John has no chapter 30 in World English Bible');
    expect(await page.locator('.chapter-numbers a').count()).toBe(21);
    await open('/read/eng-web/TOB/1', 'World English Bible has no book TOB');
    await page.getByText('Ruth').click();
    await page.getByRole('link', { name: 'Ruth 4' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ruth 4' }).waitFor();
  });

  test('the marks of notes in the reader are letters that stay on the line of their word, however wide the window is', async () => {
    await open('/read/eng-kjv/GEN/1', 'Genesis 2 →');
    expect((await page.locator('.note-marker').allTextContents()).slice(0, 3)).toEqual(['a', 'b', 'c']);
    for (const width of [320, 390, 500, 640, 900]) {
      await page.setViewportSize({ width, height: 800 });
      const lines = await page.locator('.tied').evaluateAll((tied) => tied.map((each) => each.getClientRects().length));
      expect([...new Set(lines)]).toEqual([1]);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('the topics screen of the reader lists only topics with verses', async () => {
    await open('/topics?query=abetting', 'No topic has these words.');
    await open('/topics', 'The first 47 topics.');
    expect(await page.locator('.topics').textContent()).not.toMatch(/\b0 verses/);
  });

  test('the reader shows Khmer in a font of its own, and says that a text is Khmer', async () => {
    const place = { bookId: 'JHN', bookName: 'យ៉ូហាន', chapter: 1 };
    const book = { bookId: 'JHN', name: 'យ៉ូហាន', testament: 'NT', position: 43, chapterCount: 1 };
    const licence = { code: 'PD', attribution: 'Words of our own.' };
    const translation = {
      identifier: 'khm-own',
      name: 'ទន្លេ',
      language: 'khm',
      direction: 'LTR',
      features: [],
      licence,
    };
    const verse = { ...place, id: 'a', verse: 1, reference: 'យ៉ូហាន 1:1', text: 'នៅព្រឹកមួយ ទឹកទន្លេហូរយឺតៗ។' };
    const notes = [{ kind: 'TRANSLATION', start: verse.text.length, text: 'ស្ទឹង', references: [] }];
    const data: Record<string, unknown> = {
      Translations: { translations: [translation] },
      BibleIndex: { bibleIndex: [{ ...book, chapters: [{ number: 1, verseCount: 1 }] }] },
      ReadingChapter: {
        readingChapter: {
          number: 1,
          book,
          translation,
          verses: [{ ...verse, breaks: [], marks: [], notes, headings: [] }],
          previous: null,
          next: null,
        },
      },
    };
    const own = await page.context().newPage();
    await own.route(lectern.url, (route) => {
      const { operationName } = route.request().postDataJSON() as { operationName: string };
      return route.fulfill({ headers: { 'Access-Control-Allow-Origin': '*' }, json: { data: data[operationName] } });
    });
    await own.goto(`${reader.origin}/read/khm-own/JHN/1`);
    await own.getByText('ទឹកទន្លេ').waitFor();
    expect(await loadedFonts(own)).toEqual(['Noto Serif Khmer']);
    const languages = await own.locator('h1 bdi, .printed').evaluateAll((found) => found.map((each) => each.lang));
    expect([languages, await accessibilityViolations(own)]).toEqual([['km', 'km'], []]);
    await own.close();
  });

  test('the search field of the reader opens the passage of a reference and marks its verse', async () => {
    await open('/search', 'Search');
    await page.getByRole('searchbox').fill('jn 11:35');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'John 11' }).waitFor();
    expect((await page.locator('.selected').allTextContents()).join('').trim()).toBe('Jesus wept.');
  });

  test('the verse screen shows Greek words, topics and commentary, and links each word to its number of verses per book', async () => {
    await open('/verse/eng-kjv/JHN/10/11', 'Cross references');
    await page.getByText('Hebrew and Greek words').click();
    await page.getByRole('link', { name: 'G4166' }).waitFor();
    await page.getByText('Topics').last().click();
    await page.locator('.section li a').filter({ hasText: 'SHEPHERD' }).first().waitFor();
    await page.getByText('Commentary').click();
    await page.locator('.commentary').first().waitFor();
    await page.locator('.verse-text').getByRole('button', { name: 'shepherd' }).first().click();
    await page.getByRole('link', { name: 'Where the translation has “shepherd”' }).click();
    await page.getByText('83 times in 74 verses of King James Version, as shepherd, shepherds.').waitFor();
    const chart = page.getByRole('img', { name: /^Verses in each of \d+ books, most in / });
    await chart.waitFor();
    const bars = await chart.locator('rect').count();
    expect(bars).toBe(66);
    await page.getByText('The numbers').click();
    expect(await page.getByRole('table').first().getByRole('row').count()).toBe(bars + 1);
    expect(await page.locator('.verses mark').first().textContent()).toBe('shepherds');
    await page.getByRole('link', { name: 'Genesis 46:32' }).click();
    await page.locator('.printed .selected').getByText('shepherds').first().waitFor();
  });

  test('the word screen shows the words near a word in a table, which a phone scrolls sideways, and links them', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await open('/word?translation=eng-kjv&word=shepherd', 'Genesis 46:32');
    const table = page.getByRole('region', { name: 'Words near it' });
    await table.getByRole('link', { name: 'sheep', exact: true }).waitFor();
    expect(await table.getByRole('columnheader').allTextContents()).toEqual([
      'Word',
      'Together',
      'Before it',
      'After it',
      'Expected',
      'Log-likelihood',
    ]);
    const rows = await table.getByRole('row').allTextContents();
    expect(rows).toHaveLength(16);
    const { data } = await lectern.client(
      '{ collocates(translation: "eng-kjv", word: "shepherd", first: 1) { displayForm together before after expected logLikelihood } }',
    );
    const [first] = (data as { collocates: Record<string, number | string>[] }).collocates;
    expect(rows[1]).toBe(
      [first?.['displayForm'], first?.['together'], first?.['before'], first?.['after']].join('') +
        `${Number(first?.['expected']).toFixed(1)}${Number(first?.['logLikelihood']).toFixed(1)}`,
    );
    expect(await horizontalOverflow(page)).toBe(0);
    await table.getByRole('link', { name: 'sheep', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: '“sheep”' }).waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('the word screen takes a translation and a word, and says if no verse has the word or the translation is unknown', async () => {
    await open('/word', 'Choose a translation and a word');
    await page.getByLabel('Translation').selectOption('spa-rv1909');
    await page.getByRole('searchbox').fill(' señor/jehová? ');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: '“señor/jehová?”' }).waitFor();
    expect(await page.getByLabel('Translation').inputValue()).toBe('spa-rv1909');
    const form = await page.getByRole('search').boundingBox();
    const result = await page.getByRole('main').getByRole('status').first().boundingBox();
    expect(form?.y).toBeLessThan(result?.y ?? 0);
    await open('/word?translation=eng-kjv&word=xyzzy', 'No verse of King James Version has the word xyzzy.');
    await open('/word?translation=spa-none&word=amor', "Translation 'spa-none' not found");
  });

  test('the reader shows a commentary reference such as Luke 15:4,6,32 as one link to all its verses', async () => {
    await open('/verse/eng-kjv/JHN/3/16', 'Cross references');
    await page.getByText('Commentary').click();
    const note = page.locator('.commentary').filter({ hasText: 'ἀπόλλυμι' });
    expect(await note.textContent()).toContain('15:24; 18:11; Luke 15:4,6,32. In no');
    const link = note.getByRole('link', { name: 'Luke 15:4,6,32' });
    expect(await link.getAttribute('href')).toBe(
      '/passage?translation=eng-kjv&reference=Luke+15%3A4%3B+Luke+15%3A6%3B+Luke+15%3A32',
    );
    await link.click();
    await page.getByRole('heading', { level: 1, name: 'Luke 15' }).waitFor();
  });

  test.each([
    ['a proxy responds with HTML', { status: 200, contentType: 'text/html', body: '<html>' }, 'Something other than'],
    ['the quota is used up', { status: 429 }, 'in 2 hours'],
    ['there is no connection', null, 'Check that it is running'],
  ] as const)(
    'the reader explains the failure if %s, and loads the screen after a click on "Try again"',
    async (_case, response, text) => {
      await page.route(lectern.url, (route) =>
        response === null
          ? route.abort()
          : route.fulfill({
              headers: {
                'Access-Control-Allow-Origin': '*',
                'Access-Control-Expose-Headers': 'Retry-After',
                'Retry-After': '7200',
              },
              contentType: 'application/json',
              body: '{"errors":[{"message":"Too many requests."}]}',
              ...response,
            }),
      );
      await page.goto(`${reader.origin}/read/eng-web/JHN/11`);
      await page.getByRole('alert').filter({ hasText: text }).waitFor();
      await page.unroute(lectern.url);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { level: 1, name: 'John 11' }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    },
  );

  test('npm run example:reader says what to do if LECTERN_URL has no server, or has a server that is not a GraphQL service', async () => {
    const run = async (url: string) => {
      const script = join(repositoryRoot, 'scripts/example-reader.mjs');
      const env = { ...process.env, LECTERN_URL: url };
      return promisify(execFile)(process.execPath, [script], { env }).catch((error: { stderr: string }) => error);
    };
    const [none, other] = await Promise.all([run('http://127.0.0.1:1/graphql'), run(`${reader.origin}/graphql`)]);
    expect(none.stderr).toContain('No service responds at http://127.0.0.1:1/graphql. Start one with `npm start`');
    expect(other.stderr).toContain('responds with status 200, but not as a GraphQL service');
  });

  // Not a test but a tool, run by hand: UPDATE_PICTURES=1 npx jest tests/examples/reader.test
  if (process.env['UPDATE_PICTURES'] === '1')
    test('UPDATE_PICTURES=1 writes the screenshots of the example reader', async () => {
      await writeOriginalPictures(page, reader.origin);
      await writePictures(page, reader.origin, lectern.url);
      expect(await page.locator('.words-of-jesus').count()).toBeGreaterThan(0);
    });

  test('the reader shows a message for a malformed path, and its header still links to the settings with the stored key', async () => {
    await page.goto(`${reader.origin}/read/eng-web/%`);
    await page.getByText('The address is not complete').waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    expect(await page.getByLabel('API key').inputValue()).toBe(lectern.token);
  });

  testOriginalWords(() => page, open);

  testOfflineReading(() => ({ browser, files, downloads, origin: reader.origin, page }));

  test('the Tab key in the reader reaches the link to the content first, and then the links of the header', async () => {
    await page.goto(`${reader.origin}/read/eng-web/JHN/11`);
    await page.getByText('John 12 →').waitFor();
    const stops: unknown[] = [];
    for (let presses = 0; presses < 8; presses += 1) {
      await page.keyboard.press('Tab');
      stops.push(
        await page.evaluate(
          'document.activeElement.labels?.[0]?.firstChild.textContent ?? document.activeElement.textContent',
        ),
      );
    }
    expect(stops).toEqual([
      'Skip to the content',
      'Reader',
      'Read',
      'Search',
      'Words',
      'Topics',
      'Downloads',
      'Settings',
    ]);
  });
});

/** Returns the families of the fonts that the page has loaded. */
const loadedFonts = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(
    `document.fonts.ready.then((fonts) => [...fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family.replaceAll('"', '')))`,
  );

async function enterKey(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByText(/accepts? (?:the|this) key|Verse of the day|Something other/)
    .first()
    .waitFor();
}
