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

/** Writes the pictures of docs/originals.md: an original word, a verse word by word, and the places of a word. */
export async function writeOriginalPictures(page: Page, origin: string): Promise<void> {
  const images = join(repositoryRoot, 'docs/images');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 640 });
  await page.goto(`${origin}/verse/eng-kjv/JHN/21/15`);
  await page.getByRole('button', { name: 'lovest' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { level: 3 }).first().waitFor();
  await dialog.screenshot({ path: join(images, 'original-word.png') });
  await page.setViewportSize({ width: 640, height: 900 });
  await page.goto(`${origin}/interlinear/eng-kjv/GEN/1`);
  await page.getByRole('region', { name: 'Genesis 1:1' }).screenshot({ path: join(images, 'interlinear.png') });
  await page.setViewportSize({ width: 390, height: 640 });
  await page.goto(`${origin}/original?translation=eng-kjv&strongs=H1254a`);
  await page.getByText('Genesis 1:1').waitFor();
  await page.screenshot({ path: join(images, 'places.png') });
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
