import type { EmbeddedLectern } from '../support/embedded-lectern';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import type { OpenOptions, OpenPage, TestBrowser } from '../support/headless-browser';
import { accessibilityViolations, findBrowser, startBrowser } from '../support/headless-browser';

const program = findBrowser();
(program === null ? describe.skip : describe)('the explorer in a browser', () => {
  let lectern: EmbeddedLectern;
  let browser: TestBrowser;
  beforeAll(async () => {
    lectern = await startEmbeddedLectern();
    browser = await startBrowser(program ?? '');
  });
  afterAll(async () => {
    await browser.close();
    await lectern.close();
  });

  /** Opens the explorer, waits for its editor, and closes the page at the end. */
  const openExplorer = async (options: OpenOptions, use: (opened: OpenPage) => Promise<void>): Promise<void> => {
    const opened = await browser.open(`${lectern.origin}/explorer`, options);
    try {
      await opened.page.locator('.graphiql-query-editor .view-lines').first().waitFor();
      await use(opened);
    } finally {
      await opened.close();
    }
  };

  const enterKey = async ({ page }: OpenPage, token: string): Promise<void> => {
    await page.getByLabel('API key').fill(token);
    await page.keyboard.press('Enter');
  };

  test('the explorer without an API key shows a hint to enter a key and sends no GraphQL request', async () => {
    await openExplorer({}, async ({ page, problems }) => {
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.url()));
      expect(await page.getByRole('status').textContent()).toContain('Enter a key to load the schema');
      await page.getByRole('button', { name: /^Execute query/ }).click();
      await page.locator('.result-window').getByText('Enter an API key above first').waitFor();
      expect(sent.filter((url) => url.endsWith('/graphql'))).toEqual([]);
      expect(problems).toEqual([]);
    });
  });

  test.each(['light', 'dark'] as const)(
    'the explorer with %s colours loads the schema, opens an example and runs the example by keyboard',
    async (colours) => {
      await openExplorer({ colours }, async (opened) => {
        const { page, problems } = opened;
        await enterKey(opened, lectern.token);
        await page.getByText('The key is valid.').waitFor();
        await page.getByRole('button', { name: 'Passage', exact: true }).focus();
        await page.keyboard.press('Enter');
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page.locator('.result-window').getByText('I beseech you therefore').waitFor();
        await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
        await page.getByRole('link', { name: 'Query', exact: true }).click();
        await page.getByRole('link', { name: 'verseOfTheDay' }).waitFor();
        expect(await accessibilityViolations(page)).toEqual([]);
        expect(problems).toEqual([]);
      });
    },
  );

  test('the explorer underlines an unknown field and completes known fields', async () => {
    await openExplorer({}, async (opened) => {
      const { page, problems } = opened;
      await enterKey(opened, lectern.token);
      await page.getByText('The key is valid.').waitFor();
      await page.locator('.graphiql-query-editor .graphiql-editor').focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('{ unknown verseO');
      await page.locator('.squiggly-error').first().waitFor();
      await page.locator('.suggest-widget').getByText('verseOfTheDay').first().waitFor();
      expect(problems).toEqual([]);
    });
  });

  test('the explorer replaces an unchanged example by a selected example, and never replaces edited text', async () => {
    await openExplorer({}, async ({ page }) => {
      const tabs = page.locator('.graphiql-tab-button');
      await page.getByRole('button', { name: 'Chapter', exact: true }).click();
      await tabs.getByText('Chapter').waitFor();
      expect(await tabs.allTextContents()).toEqual(['Chapter']);
      await page.keyboard.press('Enter');
      await page.keyboard.type('# my own\n');
      await page.getByText('# my own').waitFor();
      await page.getByRole('button', { name: 'Languages', exact: true }).click();
      await tabs.getByText('Languages').waitFor();
      expect(await tabs.allTextContents()).toEqual(['Chapter', 'Languages']);
    });
  });

  test('the explorer stores the API key neither in browser storage nor in a cookie nor in the URL, and a reload drops the key', async () => {
    await openExplorer({}, async (opened) => {
      const { page } = opened;
      await enterKey(opened, lectern.token);
      await page.getByText('The key is valid.').waitFor();
      await page.getByRole('button', { name: /^Execute query/ }).click();
      await page.locator('.result-window').getByText('"data"').waitFor();
      // GraphiQL writes its tabs to localStorage after half a second.
      await page.waitForTimeout(800);
      const stored = await page.evaluate<string>(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])',
      );
      expect(stored).toContain('graphiql:tabState');
      expect(stored).not.toContain(lectern.token.slice(12));
      expect(await page.evaluate<number>('indexedDB.databases().then((all) => all.length)')).toBe(0);
      expect(page.url()).toBe(`${lectern.origin}/explorer`);
      await page.reload();
      expect(await page.getByLabel('API key').inputValue()).toBe('');
      expect(await page.getByRole('status').textContent()).toContain('Enter a key');
    });
  });

  test('the explorer shows the API key only after a click on Show', async () => {
    await openExplorer({}, async ({ page }) => {
      const field = page.getByLabel('API key');
      expect(await field.getAttribute('type')).toBe('password');
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      expect(await field.getAttribute('type')).toBe('text');
    });
  });

  test("the explorer shows the API's error message for an invalid API key", async () => {
    await openExplorer({}, async (opened) => {
      await enterKey(opened, 'svc_test_wrong');
      await opened.page.getByRole('status').getByText('Invalid or missing API key').waitFor();
      await enterKey(opened, `svc_live_${'a'.repeat(49)}`);
      await opened.page.getByRole('button', { name: /^Execute query/ }).click();
      await opened.page.locator('.result-window').getByText('Invalid or missing API key').waitFor();
      // Chromium reports each 401 as a problem.
      expect(opened.problems.filter((problem) => !problem.includes('401 (Unauthorized)'))).toEqual([]);
    });
  });
});
