import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';
import type { VerseWithLayout } from '@lectern/verse-layout';
import type { Page } from 'playwright-core';
import { inventedChapter, inventedPsalm } from '../support/invented-verses';

/**
 * The folder for pictures with text of the Bible, which must not be committed. Git ignores this
 * folder.
 */
const uncommitted = join(repositoryRoot, 'node_modules/.lectern/pictures');
const assets = join(repositoryRoot, 'packages/site/assets');

/**
 * Writes the picture of the reader that the landing page shows, in light and in dark colours, with
 * invented verses. Also writes pictures of Psalm 23 and John 3 into a folder that Git ignores. The
 * reader must have an API key in `page`.
 */
export async function writePictures(page: Page, origin: string, lecternUrl: string): Promise<void> {
  mkdirSync(uncommitted, { recursive: true });
  const picture = async (path: string, file: string, colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme });
    await page.goto(origin + path);
    await page.locator('.printed').first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: file });
  };
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [name, path] of [
    ['psalm-23', '/read/eng-web/PSA/23'],
    ['john-3', '/read/eng-web/JHN/3'],
  ] as const) {
    await picture(path, join(uncommitted, `${name}.png`), 'light');
    await picture(path, join(uncommitted, `${name}-dark.png`), 'dark');
  }
  await page.route(lecternUrl, (route) => {
    const { operationName } = route.request().postDataJSON() as { operationName: string };
    return route.fulfill({
      headers: { 'Access-Control-Allow-Origin': '*' },
      json: { data: inventedData[operationName] },
    });
  });
  await page.setViewportSize({ width: 820, height: 590 });
  await picture('/read/invented/SNG/1', join(assets, 'reader.png'), 'light');
  await picture('/read/invented/SNG/1', join(assets, 'reader-dark.png'), 'dark');
  await page.unroute(lecternUrl);
}

const book = { bookId: 'SNG', name: 'River songs', testament: 'OT', position: 1, chapterCount: 1 };
const translation = { identifier: 'invented', name: 'Invented', language: 'eng', direction: 'LTR', features: [] };

const inventedVerses: readonly VerseWithLayout[] = [...inventedPsalm, ...inventedChapter].map((verse, index) => ({
  ...verse,
  chapter: 1,
  verse: index + 1,
}));

/** The invented `data` of the responses, by operation name. */
const inventedData: Readonly<Record<string, unknown>> = {
  Translations: { translations: [translation] },
  BibleIndex: { bibleIndex: [{ ...book, chapters: [{ number: 1, verseCount: 4 }] }] },
  ReadingChapter: {
    readingChapter: {
      number: 1,
      book,
      translation: { ...translation, licence: { code: '', attribution: 'The Bible does not have these verses.' } },
      verses: inventedVerses,
      previous: null,
      next: null,
    },
  },
};
