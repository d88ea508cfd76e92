import { findOriginalSources } from '@lectern/corpus';
import { dataDir } from '@lectern/testing';
import type { Page } from 'playwright-core';
import { accessibilityViolations, horizontalOverflow } from '../support/headless-browser';

const hasTexts = findOriginalSources({ dataDir, env: process.env }).has('morphhb');

/**
 * Defines the tests of the Hebrew and Greek words in the reader. They share the service, the built
 * reader and the browser with the tests of reader.test.ts.
 */
export function testOriginalWords(page: () => Page, open: (path: string, text: string) => Promise<void>): void {
  const describeWithTexts = hasTexts ? describe : describe.skip;
  const wholeScreen = async (): Promise<[number, string[]]> => [
    await horizontalOverflow(page()),
    await accessibilityViolations(page()),
  ];

  describeWithTexts('Hebrew and Greek words in the reader', () => {
    test('Enter on a word opens the Greek word, Escape returns to the verse, and a link leads to every verse with the word', async () => {
      await page().setViewportSize({ width: 390, height: 800 });
      await open('/verse/eng-kjv/JHN/10/14', 'Cross references');
      const word = page().getByRole('button', { name: 'shepherd', exact: true });
      await word.focus();
      await page().keyboard.press('Enter');
      const dialog = page().getByRole('dialog', { name: 'Original of “shepherd”' });
      await dialog.getByRole('heading', { name: 'A Manual Greek Lexicon' }).waitFor();
      const text = await dialog.textContent();
      expect(text).toMatch(/ποιμὴν poimēn.*noun, nominative singular masculine.*From ποιμήν.*shepherd/);
      expect(await dialog.getByText('ποιμὴν').getAttribute('lang')).toBe('grc');
      expect(await wholeScreen()).toEqual([0, []]);
      await page().keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await word.and(page().locator(':focus')).waitFor();
      await page().keyboard.press('Enter');
      await dialog.getByRole('link', { name: 'Every place with this word' }).click();
      await page().getByText('18 times in 17 verses.').waitFor();
      expect(await page().locator('.verses li').count()).toBe(17);
      expect(await wholeScreen()).toEqual([0, []]);
    });

    test('the screen of a Hebrew word shows twenty verses with the form and the translated text, and more after a click', async () => {
      await open('/original?translation=eng-kjv&strongs=H1254a', 'Show more');
      expect(await page().locator('.verses li').first().textContent()).toMatch(
        /^Genesis 1:1בָּרָ֣א bārāʾ verb, Qal perfect.*In the beginning God created/,
      );
      await page().getByRole('button', { name: 'Show more' }).click();
      await page().locator('.verses li').nth(25).waitFor();
    });

    test('a chapter in Hebrew has its font, its language and its direction, also in its links, and its English names are English', async () => {
      await open('/read/hbo-wlc/GEN/2', 'Genesis 3');
      expect(
        await page().evaluate(`[
          document.fonts.check('20px "Noto Serif Hebrew"', 'בָּרָ֣א'),
          ...['h1 bdi', '.printed', '.neighbours', '.attribution'].map((selector) => {
            const { lang, dir } = document.querySelector(selector);
            return lang + ' ' + dir;
          }),
        ]`),
      ).toEqual([true, 'en ', 'hbo rtl', ' rtl', 'en ltr']);
      const [back, forward] = [
        page().getByRole('link', { name: 'Genesis 1' }),
        page().getByRole('link', { name: 'Genesis 3' }),
      ];
      expect([await back.textContent(), await forward.textContent()]).toEqual(['→ Genesis 1', 'Genesis 3 ←']);
      expect((await forward.boundingBox())?.x).toBeLessThan((await back.boundingBox())?.x ?? 0);
    });

    test('two translations beside each other have the same text in a row, also where they number verses differently', async () => {
      await page().setViewportSize({ width: 1280, height: 900 });
      await open('/read/eng-kjv/PSA/51?beside=hbo-wlc', 'To the chief Musician');
      const top = async (name: string, column: 'ltr' | 'rtl') =>
        (await page().locator(`.parallel .printed[dir=${column}]`).filter({ hasText: name }).first().boundingBox())?.y;
      expect(await top('Have mercy upon me', 'ltr')).toBe(await top('חָנֵּ֣נִי', 'rtl'));
      expect(await page().locator('.parallel .printed[dir=rtl]').first().locator('.verse-number').count()).toBe(3);
      expect(await wholeScreen()).toEqual([0, []]);
      await open('/read/eng-kjv/PSA/13?beside=hbo-wlc', 'In Psalm 13:6.');
      await open('/read/grc-sblgnt/MRK/9?beside=eng-kjv', 'Where their worm dieth not');
      expect(await page().locator('.parallel').getByText('Not in this translation.').count()).toBe(2);
      await page().setViewportSize({ width: 390, height: 800 });
    });

    test('the heading of a Hebrew word has the word in its direction, and the quotation marks in that of the page', async () => {
      await open('/word?translation=hbo-wlc&word=שלום', 'Words near it');
      const heading = page().locator('h1');
      expect([await heading.textContent(), await heading.locator('bdi').textContent()]).toEqual(['“שלום”', 'שלום']);
      expect(await heading.locator('bdi').getAttribute('dir')).toBe('rtl');
    });

    test.each(['light', 'dark'] as const)(
      'the interlinear of Genesis 1 on a phone with %s colours has Hebrew columns from the right, English from the left',
      async (colorScheme) => {
        await page().emulateMedia({ colorScheme });
        await open('/interlinear/eng-kjv/GEN/1', 'Genesis 1:8');
        const columns = page().locator('.interlinear').first().locator('li');
        const placeOf = async (index: number) => {
          const { x = 0, y = 0, width = 0 } = (await columns.nth(index).boundingBox()) ?? {};
          return { x, y, right: x + width };
        };
        let [first, second] = [await placeOf(0), await placeOf(1)];
        expect([first.y, second.right < first.x, first.right]).toEqual([second.y, true, 370]);
        const hebrew = columns.first().getByText('בְּרֵאשִׁ֖ית');
        const style = `getComputedStyle(document.querySelector('.interlinear bdi'))`;
        expect(await page().evaluate(`[${style}.direction, ${style}.unicodeBidi]`)).toEqual(['rtl', 'isolate']);
        expect([await hebrew.getAttribute('lang'), await columns.first().locator('b').getAttribute('dir')]).toEqual([
          'hbo',
          'ltr',
        ]);
        expect(await columns.first().getByRole('button').getAttribute('aria-haspopup')).toBe('dialog');
        expect(await wholeScreen()).toEqual([0, []]);
        await page().getByRole('link', { name: 'In the order of the translation' }).click();
        await page().getByText('In the order of the translation.').waitFor();
        await columns.first().getByText('In the').waitFor();
        [first, second] = [await placeOf(0), await placeOf(1)];
        expect([first.y, second.x > first.right, first.x]).toEqual([second.y, true, 20]);
      },
    );
  });
}
