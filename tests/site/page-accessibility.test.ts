import { itemsOfThisRun } from '@lectern/testing';
import type { Page } from 'playwright-core';
import type { AdminFixture } from '../support/admin-fixture';
import { operatorPassword, startAdminFixture } from '../support/admin-fixture';
import { issueKey } from '../support/embedded-lectern';
import type { OpenOptions, OpenPage, TestBrowser } from '../support/headless-browser';
import {
  accessibilityViolations,
  findBrowser,
  horizontalOverflow,
  startBrowser,
  tabStops,
} from '../support/headless-browser';

/**
 * A run of `npm test` checks a share of the pages and windows; `npm run test:long` checks all of
 * them.
 */
const publicPages = itemsOfThisRun(['/', '/reference', '/reference/Verse', '/changes', '/up'], 5);
const windows = itemsOfThisRun(
  [
    [1280, 'light'],
    [360, 'dark'],
  ] as const,
  2,
);
const formPath = '/api-keys/request';

const program = findBrowser();
(program === null ? describe.skip : describe)('the pages in a browser', () => {
  let admin: AdminFixture;
  let browser: TestBrowser;
  let origin: string;
  beforeAll(async () => {
    admin = await startAdminFixture();
    ({ origin } = admin.lectern);
    browser = await startBrowser(program ?? '');
  });
  afterAll(async () => {
    await browser.close();
    await admin.lectern.close();
  });

  const openPage = async (
    path: string,
    options: OpenOptions,
    use: (opened: OpenPage) => Promise<void>,
  ): Promise<void> => {
    const opened = await browser.open(origin + path, options);
    try {
      if (path === '/explorer') await opened.page.locator('.graphiql-query-editor .view-lines').first().waitFor();
      await use(opened);
    } finally {
      await opened.close();
    }
  };

  /** Returns the accessibility violations and the overflow of the page, with light and with dark colours. */
  const problemsInBothColours = async (page: Page): Promise<string[]> => {
    const problems: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const overflow = await horizontalOverflow(page);
      problems.push(...(await accessibilityViolations(page)), ...(overflow === 0 ? [] : [`${overflow} px too wide`]));
    }
    return problems.map((problem) => `${page.url()}: ${problem}`);
  };

  /** Resizes the window of the loaded page to that of a phone and selects dark colours. */
  const showAsOnDarkPhone = async (page: Page): Promise<void> => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: 'dark' });
  };

  test.each(publicPages)(
    'the page %s has no accessibility violations, overflow or browser errors, wide and light, and on a dark phone',
    async (path) => {
      await openPage(path, {}, async ({ page, problems }) => {
        expect([await accessibilityViolations(page), await horizontalOverflow(page)]).toEqual([[], 0]);
        await showAsOnDarkPhone(page);
        expect([await accessibilityViolations(page), await horizontalOverflow(page)]).toEqual([[], 0]);
        expect(problems).toEqual([]);
      });
    },
  );

  // The explorer checks only at its start whether the window is wide, so each case loads the page
  // again.
  test.each(windows)(
    'the explorer with a width of %i pixels and %s colours has no accessibility violations, no overflow and no browser errors',
    async (width, colours) => {
      await openPage('/explorer', { width, colours }, async ({ page, problems }) => {
        expect([await accessibilityViolations(page), await horizontalOverflow(page)]).toEqual([[], 0]);
        expect(problems).toEqual([]);
      });
    },
  );

  test("Tab on the landing page reaches the link to the content first, then the navigation and the content's links", async () => {
    await openPage('/', {}, async ({ page }) => {
      const stops = await tabStops(page);
      expect(stops.slice(0, 6)).toEqual([
        'a Skip to the content',
        'a Lectern',
        'a Explorer',
        'a Reference',
        'a Changes',
        'a Request a key',
      ]);
      for (const link of ['Get a key', 'Explorer', 'Reference', 'Download the schema', 'Status'])
        expect(stops.slice(6)).toContain(`a ${link}`);
      expect(stops.at(-1)).toBe('a SDL');
    });
  });

  test('800 pixels high, the landing page shows its first query and steps, and the arrow keys choose a language', async () => {
    await openPage('/', { width: 1280, height: 800 }, async ({ page, problems }) => {
      expect(await page.locator('script').count()).toBe(0);
      const bottomOf = (selector: string) =>
        page.locator(selector).evaluate((element) => element.getBoundingClientRect().bottom);
      expect(Math.max(await bottomOf('.first-query'), await bottomOf('.steps'))).toBeLessThan(800);
      const shown = async () => (await page.locator('.example:visible').getAttribute('aria-label')) ?? '';
      expect(await shown()).toBe('The query in curl');
      await page.getByLabel('curl', { exact: true }).focus();
      for (const language of ['JavaScript', 'TypeScript', 'Python']) {
        await page.keyboard.press('ArrowRight');
        expect(await shown()).toMatch(new RegExp(`^The query in ${language}, `));
      }
      expect(problems).toEqual([]);
    });
  });

  test('an applicant can fill in and send the key request form by keyboard', async () => {
    const { page, problems, close } = await browser.open(`${origin}${formPath}`);
    await page.getByLabel('Your name').focus();
    await page.keyboard.type('Grace Hopper');
    await page.keyboard.press('Tab');
    await page.keyboard.type('grace@example.org');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Line one');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Line two');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/api-keys/request/sent');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Thank you');
    expect((await admin.lectern.keys.requests()).filter(({ email }) => email === 'grace@example.org')).toMatchObject([
      { name: 'Grace Hopper', description: 'Line one\nLine two' },
    ]);
    expect(problems).toEqual([]);
    await close();
  });

  test('with invalid fields, the key request form focuses its error summary, which links to and describes each', async () => {
    const { page, close } = await browser.open(`${origin}${formPath}`);
    await page.getByLabel('Email address').fill('grace at example.org');
    await page.getByRole('button', { name: 'Send the request' }).click();
    // The browser moves the focus at the first rendering, which may follow the load event.
    await page.waitForSelector('[role=alert]:focus');
    expect(await page.title()).toMatch(/^Problem: /);
    const errors = [
      ['name', 'Enter your name.'],
      ['email', 'Enter an email address, such as name@example.org.'],
      ['description', 'Enter what the key is for.'],
    ] as const;
    const links = await page.getByRole('alert').getByRole('link').all();
    expect(
      await Promise.all(links.map(async (link) => [await link.getAttribute('href'), await link.textContent()])),
    ).toEqual(errors.map(([id, message]) => [`#${id}`, message]));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#email:focus');
    expect(await page.getByLabel('Email address').inputValue()).toBe('grace at example.org');
    for (const [id, message] of errors)
      expect(
        await page.evaluate(
          `document.getElementById('${id}').getAttribute('aria-describedby').split(' ').map((each) => document.getElementById(each).textContent.trim()).join(' ')`,
        ),
      ).toContain(message);
    expect(await accessibilityViolations(page)).toEqual([]);
    await close();
  });

  test('the key request form on a phone with light and with dark colours has no accessibility violations and no overflow', async () => {
    const { page, close } = await browser.open(`${origin}${formPath}`, { width: 360, height: 740 });
    expect(await problemsInBothColours(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send the request' }).click();
    await page.waitForSelector('[role=alert]');
    expect(await problemsInBothColours(page)).toEqual([]);
    await page.goto(`${origin}${formPath}/sent`);
    expect(await problemsInBothColours(page)).toEqual([]);
    await close();
  });

  test('the pages from sign-in to the approval of a key request have no accessibility violations and no overflow', async () => {
    const { id, email } = await admin.requestKey(
      'telephone@example.org',
      'Telephone Reader',
      `A long word: ${'x'.repeat(300)}`,
    );
    const { page, problems, close } = await browser.open(`${origin}/admin/requests/${id}`, {
      width: 360,
      height: 740,
    });
    const violations = async () => [await accessibilityViolations(page), await horizontalOverflow(page)];
    expect(await violations()).toEqual([[], 0]);
    await page.getByLabel('Password').fill(operatorPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/admin/requests/${id}`);
    expect(await violations()).toEqual([[], 0]);
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.waitForURL('**/admin/requests');
    expect(await violations()).toEqual([[], 0]);
    await page.getByRole('button', { name: 'Approve the request of Telephone Reader' }).click();
    await page.waitForURL('**?done=approved');
    const status = await page.waitForSelector('[role=status]:focus');
    expect(await status.textContent()).toBe('Approved: the key was issued and mailed.');
    expect(await violations()).toEqual([[], 0]);
    expect(await admin.mailsTo(email)).toHaveLength(1);
    expect(problems).toEqual([]);
    await close();
  });

  test('the pages for keys, the audit log and rejections have no violations and no overflow, light and dark', async () => {
    const { key } = await issueKey(admin.lectern.keys, { email: 'looked-at@example.org' });
    const request = await admin.requestKey('looked-at-too@example.org');
    const { page, close } = await browser.open(`${origin}/admin`, { width: 360, height: 740 });
    await page.getByLabel('Password').fill(operatorPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/admin/requests');
    const paths = [
      '/admin/keys',
      `/admin/keys/${key.id}`,
      `/admin/keys/${key.id}/revoke`,
      '/admin/new-key',
      '/admin/audit',
      `/admin/requests/${request.id}/reject`,
    ];
    for (const path of itemsOfThisRun(paths, 3)) {
      await page.goto(`${origin}${path}`);
      expect(await problemsInBothColours(page)).toEqual([]);
    }
    await page.goto(`${origin}/admin/requests/${request.id}/reject`);
    await page.getByRole('button', { name: 'Reject the request' }).click();
    await page.waitForSelector('[role=alert]');
    expect(await problemsInBothColours(page)).toEqual([]);
    await close();
  });
});
