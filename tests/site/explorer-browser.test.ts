import type { EmbeddedLectern } from '../support/embedded-lectern';
import { issueKey, startEmbeddedLectern } from '../support/embedded-lectern';
import type { OpenOptions, OpenPage, TestBrowser } from '../support/headless-browser';
import { accessibilityViolations, findBrowser, startBrowser, tabStops } from '../support/headless-browser';
import { waitUntil } from '../support/processes';

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

  /** Opens the explorer, waits for its editor, calls `use`, and closes the page. */
  const openExplorer = async (
    { search = '', ...options }: OpenOptions & { search?: string },
    use: (opened: OpenPage) => Promise<void>,
  ): Promise<void> => {
    const opened = await browser.open(`${lectern.origin}/explorer${search}`, options);
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

  test('a link with a query opens the explorer with it, and without a key no GraphQL request is sent', async () => {
    const search = `?${new URLSearchParams({ query: '{ books { bookId } }' })}`;
    await openExplorer({ search }, async ({ page, problems }) => {
      await page.locator('.graphiql-query-editor').getByText('bookId').waitFor();
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.url()));
      expect(await page.getByRole('status').textContent()).toContain('Enter a key to load the schema');
      await page.getByRole('button', { name: /^Execute query/ }).click();
      await page.locator('.result-window').getByText('Enter an API key above first').waitFor();
      expect(sent.filter((url) => url.endsWith('/graphql'))).toEqual([]);
      expect(problems).toEqual([]);
    });
  });

  test('the dark explorer runs an example by keyboard, and becomes light when the system changes its colours', async () => {
    await openExplorer({ colours: 'dark' }, async (opened) => {
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
      const colourOfEditor = () =>
        page.evaluate<string>(`getComputedStyle(document.querySelector('.graphiql-query-editor .mtk1')).color`);
      const dark = await colourOfEditor();
      await page.emulateMedia({ colorScheme: 'light' });
      await page.locator('.graphiql-query-editor .monaco-editor.vs').waitFor();
      expect(await colourOfEditor()).not.toBe(dark);
      expect(problems).toEqual([]);
    });
  });

  test('the explorer underlines an unknown field and completes known fields', async () => {
    await openExplorer({}, async (opened) => {
      const { page, problems } = opened;
      await enterKey(opened, lectern.token);
      await page.getByText('The key is valid.').waitFor();
      await page.locator('.graphiql-query-editor .graphiql-editor').focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('{ unknown ');
      // The editor underlines the field and completes others only after it has read the schema.
      await page.locator('.squiggly-error').first().waitFor();
      await page.keyboard.type('verseO');
      await page.locator('.suggest-widget').getByText('verseOfTheDay').first().waitFor();
      expect(problems).toEqual([]);
    });
  });

  test('another example replaces an unchanged example in the editor, and opens in a new tab beside edited text', async () => {
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

  const runQuery = async ({ page }: OpenPage): Promise<void> => {
    await page.getByRole('button', { name: /^Execute query/ }).click();
    await page.locator('.result-window').getByText('"data"').waitFor();
  };

  /**
   * Returns localStorage, cookies, URL and history state of the page as JSON. Fails if IndexedDB is
   * used.
   */
  const readStorage = async ({ page }: OpenPage): Promise<string> => {
    // GraphiQL writes its open tabs to localStorage half a second after a change.
    await page.waitForTimeout(800);
    await waitUntil(() => page.evaluate<boolean>(`'graphiql:tabState' in localStorage`));
    expect(await page.evaluate<number>('indexedDB.databases().then((all) => all.length)')).toBe(0);
    return page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, document.cookie, location.href, history.state])',
    );
  };

  const readSessionStorage = ({ page }: OpenPage): Promise<string> =>
    page.evaluate<string>('JSON.stringify({ ...sessionStorage })');

  test('the explorer keeps the key only in the session storage of the tab, even after a reload and a visit to /reference', async () => {
    await openExplorer({}, async (opened) => {
      const { page } = opened;
      await enterKey(opened, lectern.token);
      await page.getByText('The key is valid.').waitFor();
      await runQuery(opened);
      expect(await readStorage(opened)).not.toContain(lectern.token.slice(12));
      expect(await readSessionStorage(opened)).toContain(lectern.token);
      expect(page.url()).toBe(`${lectern.origin}/explorer`);
      await page.reload();
      await page.getByText('The key is valid.').waitFor();
      await page.getByRole('link', { name: 'Reference', exact: true }).click();
      await page.getByRole('link', { name: 'Explorer', exact: true }).click();
      await page.getByText('The key is valid.').waitFor();
      expect(await page.getByLabel('API key').inputValue()).toBe(lectern.token);
      await runQuery(opened);
      const otherTab = await page.context().newPage();
      await otherTab.goto(`${lectern.origin}/explorer`);
      await otherTab.getByText('Enter a key to load the schema').waitFor();
    });
  });

  test('turning off the switch that keeps the API key in the explorer removes the key from the session storage of the browser', async () => {
    await openExplorer({}, async (opened) => {
      const { page } = opened;
      await enterKey(opened, lectern.token);
      await page.getByText('The key is valid.').waitFor();
      await page.getByLabel('Keep the key until this tab is closed').uncheck();
      await page.getByText('It is forgotten when you leave this page.').waitFor();
      expect(await readSessionStorage(opened)).not.toContain(lectern.token.slice(12));
      await runQuery(opened);
      expect(await readStorage(opened)).not.toContain(lectern.token.slice(12));
      await page.reload();
      await page.getByText('Enter a key to load the schema').waitFor();
      expect(await page.getByLabel('API key').inputValue()).toBe('');
      expect(await page.getByLabel('Keep the key until this tab is closed').isChecked()).toBe(false);
    });
  });

  test('the light explorer underlines no typographic apostrophe and no known field, and has no accessibility violations', async () => {
    await openExplorer({}, async (opened) => {
      const { page } = opened;
      await enterKey(opened, lectern.token);
      await page.getByText('The key is valid.').waitFor();
      // The test sets the text with GraphiQL's global `__MONACO`, because Monaco may add closing
      // brackets to typed text. The operation has the name OneVerse of the first example, because
      // GraphiQL reads a changed name after a delay.
      await page.evaluate(
        `__MONACO.editor.getModels().find(({ uri }) => uri.path.endsWith('.graphql')).setValue('query OneVerse { search(query: "God’s", limit: 5) { text } }')`,
      );
      await page.getByRole('button', { name: /^Execute query/ }).click();
      await page.locator('.result-window').getByText('’').first().waitFor();
      // Monaco marks unusual characters half a second after the text changed.
      await page.waitForTimeout(800);
      expect(await page.locator('.unicode-highlight, [class*="squiggly"]').count()).toBe(0);
      await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
      await page.getByRole('link', { name: 'Query', exact: true }).click();
      await page.getByRole('link', { name: 'verseOfTheDay' }).waitFor();
      expect(await accessibilityViolations(page)).toEqual([]);
    });
  });

  test('the Tab key leads from the API key field of the explorer to the examples, and then to the query editor and its buttons', async () => {
    await openExplorer({}, async ({ page }) => {
      await page.getByLabel('API key').focus();
      const stops = await tabStops(page, 16);
      expect(stops.map((stop) => stop.replace(/ \(.*|\d.*/, ''))).toEqual([
        'button Show',
        'button Use key',
        'input Keep the key until this tab is closed',
        'button Skip to the query editor',
        'a Request a key',
        'button Show Documentation Explorer',
        'button Hide Examples',
        'button Re-fetch GraphQL schema',
        'button Open short keys dialog',
        'button Open settings dialog',
        'button One verse',
        'button OneVerse',
        'button New tab',
        'div ',
        'button Execute query',
        'button Prettify query',
      ]);
      await page.getByRole('button', { name: 'Skip to the query editor' }).focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await tabStops(page, 1)).toEqual([expect.stringContaining('Prettify query')]);
      await page.getByRole('button', { name: 'One verse', exact: true }).focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.locator('.graphiql-tab-button').getByText('Passage').waitFor();
    });
  });

  test('the explorer does not mark an API key as invalid when a rate limit rejects a request', async () => {
    const { token } = await issueKey(lectern.keys, { requestsPerDay: 1 });
    await openExplorer({}, async (opened) => {
      const { page } = opened;
      await enterKey(opened, token);
      await page.getByText('The key is valid.').waitFor();
      await page.getByRole('button', { name: /^Execute query/ }).click();
      await page.locator('.result-window').getByText('Rate limit exceeded').first().waitFor();
      expect(await page.getByRole('status').textContent()).toBe('The key is valid.');
      await page.reload();
      await page.getByRole('status').getByText('Rate limit exceeded').waitFor();
      expect(await page.getByLabel('API key').getAttribute('aria-invalid')).toBe('false');
    });
  });

  test('the explorer hides the typed API key until a click on Show, and shows the error message of the API for an invalid key', async () => {
    await openExplorer({}, async (opened) => {
      const field = opened.page.getByLabel('API key');
      expect(await field.getAttribute('type')).toBe('password');
      await opened.page.getByRole('button', { name: 'Show', exact: true }).click();
      expect(await field.getAttribute('type')).toBe('text');
      await enterKey(opened, 'svc_test_wrong');
      await opened.page.getByRole('status').getByText('Invalid or missing API key').waitFor();
      await enterKey(opened, `svc_live_${'a'.repeat(49)}`);
      await opened.page.getByRole('button', { name: /^Execute query/ }).click();
      await opened.page.locator('.result-window').getByText('Invalid or missing API key').waitFor();
      // Chromium logs an error for each response with status 401.
      expect(opened.problems.filter((problem) => !problem.includes('401 (Unauthorized)'))).toEqual([]);
    });
  });
});
