import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';
import { buildLayout, layoutCss, renderHtml, type VerseWithLayout } from '@lectern/verse-layout';
import type { Browser, Locator, Page } from 'playwright-core';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { accessibilityViolations, findBrowser, horizontalOverflow, launchChromium } from '../support/headless-browser';
import { inventedChapter, inventedPsalm } from '../support/invented-verses';

const pageFields = `book { name } number translation { language }
  verses { chapter verse text breaks { kind start indent } marks { kind start length } notes { kind start text } headings { kind text start } }`;

interface ReadingChapter {
  book: { name: string };
  number: number;
  translation: { language: string };
  verses: VerseWithLayout[];
}

const toPage = (title: string, verses: readonly VerseWithLayout[], language = 'en'): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
  <style>body { font: 18px/1.5 serif; max-width: 34em; margin: 1em; color-scheme: light dark; } ${layoutCss}</style></head>
  <body><main><h1>${title}</h1>${renderHtml(buildLayout(verses), { headingLevel: 2 })}</main></body></html>`;

/** The pictures in packages/verse-layout/README.md, and the invented verses that each of them shows. */
const pictures: readonly { file: string; title: string; verses: readonly VerseWithLayout[] }[] = [
  { file: 'docs/images/psalm.png', title: 'A psalm', verses: inventedPsalm },
  { file: 'docs/images/words-of-jesus.png', title: 'A chapter', verses: inventedChapter },
];

const program = findBrowser();

(program === null ? describe.skip : describe)('the HTML that packages/verse-layout renders, in a browser', () => {
  let lectern: EmbeddedLectern;
  let browser: Browser;
  beforeAll(async () => {
    lectern = await startEmbeddedLectern();
    browser = await launchChromium(program ?? '');
  });
  afterAll(async () => {
    await browser.close();
    await lectern.close();
  });

  const withPage = async (content: string, use: (page: Page) => Promise<void>): Promise<void> => {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    try {
      await page.setContent(content);
      await use(page);
    } finally {
      await page.close();
    }
  };

  const withChapter = async (book: string, chapter: number, use: (page: Page) => Promise<void>): Promise<void> => {
    const { data } = await lectern.client(
      `query ($b: String!, $c: Int!) { readingChapter(book: $b, chapter: $c) { ${pageFields} } }`,
      { b: book, c: chapter },
    );
    const { book: own, number, verses } = (data as unknown as { readingChapter: ReadingChapter }).readingChapter;
    await withPage(toPage(`${own.name} ${number}`, verses), use);
  };

  const styleOf = (page: Page, selector: string, property: string): Promise<string> =>
    page.evaluate<string>(
      `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).getPropertyValue(${JSON.stringify(property)})`,
    );

  test('the HTML of Psalm 23 shows its title and indents, without accessibility violations and overflow', async () => {
    await withChapter('PSA', 23, async (page) => {
      expect(await page.locator('h2.psalm-title').allTextContents()).toEqual(['A Psalm by David.']);
      const lines = page.locator('.stanza .line');
      expect(await lines.count()).toBeGreaterThan(12);
      const [first, second] = [await lines.nth(0).boundingBox(), await lines.nth(1).boundingBox()];
      expect(second?.y).toBeGreaterThan(first?.y ?? Infinity);
      expect(await styleOf(page, '.line:nth-of-type(1)', 'padding-inline-start')).not.toBe(
        await styleOf(page, '.line:nth-of-type(2)', 'padding-inline-start'),
      );
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(await horizontalOverflow(page)).toBeLessThanOrEqual(0);
    });
  });

  test('the rendered chapter John 3 has the words of Jesus in red, and links from each note marker to its note and back', async () => {
    await withChapter('JHN', 3, async (page) => {
      expect(await styleOf(page, '.words-of-jesus', 'color')).toBe('rgb(164, 22, 26)');
      const markers = page.locator('[role="doc-noteref"]');
      expect(await markers.count()).toBe(await page.locator('.notes li').count());
      const hrefsOf = async (links: Locator) =>
        Promise.all((await links.all()).map((link) => link.getAttribute('href')));
      const numbers = Array.from({ length: await markers.count() }, (_, index) => index + 1);
      expect(await hrefsOf(markers)).toEqual(numbers.map((number) => `#note-${number}`));
      expect(await hrefsOf(page.locator('.notes li a'))).toEqual(numbers.map((number) => `#note-marker-${number}`));
      await markers.first().click();
      await page.waitForURL(/#note-1$/);
      expect(await page.locator('#note-1 a').getAttribute('href')).toBe('#note-marker-1');
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(await horizontalOverflow(page)).toBeLessThanOrEqual(0);
    });
  });

  test.each(pictures)('the screenshot for $file is not empty (UPDATE_PICTURES=1 writes the file)', async (picture) => {
    await withPage(toPage(picture.title, picture.verses), async (page) => {
      const image = await page.locator('main').screenshot();
      expect(image.length).toBeGreaterThan(5_000);
      if (process.env['UPDATE_PICTURES'] !== '1') return;
      const file = join(repositoryRoot, picture.file);
      mkdirSync(dirname(file), { recursive: true });
      await page.locator('main').screenshot({ path: file });
    });
  });
});
