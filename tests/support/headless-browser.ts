import { findProgram } from '@lectern/testing';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { chromium } from 'playwright-core';

/** The browser on this machine. Null without one, which is said in one line and fails under CI. */
export const findBrowser = (): string | null =>
  findProgram(['chromium', 'chromium-browser', 'google-chrome'], 'chromium');

export interface OpenOptions {
  width?: number;
  height?: number;
  colours?: 'light' | 'dark';
}

export interface OpenPage {
  page: Page;
  /** What the browser complained of since the page was opened: console errors, exceptions, refusals of the content security policy, requests that failed or left the origin. */
  problems: readonly string[];
  close(): Promise<void>;
}

/** A browser without a window. Every page that it opens has storage and cookies of its own. */
export async function startBrowser(program: string) {
  const browser = await chromium.launch({
    executablePath: program,
    // Chromium's sandbox refuses to run as root, which is who runs most containers.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });

  return {
    async open(url: string, { width = 1280, height = 900, colours = 'light' }: OpenOptions = {}): Promise<OpenPage> {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: colours,
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      const problems: string[] = [];
      const { origin } = new URL(url);
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning')
          problems.push(`${message.type()}: ${message.text()}`);
      });
      page.on('pageerror', (error) => problems.push(`exception: ${error.message}`));
      page.on('requestfailed', (request) => problems.push(`failed: ${request.url()}`));
      page.on('request', (request) => {
        if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:'))
          problems.push(`left the origin: ${request.url()}`);
      });
      await page.addInitScript(
        `document.addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`,
      );
      await page.goto(url, { waitUntil: 'networkidle' });
      return { page, problems, close: () => context.close() };
    },
    close: () => browser.close(),
  };
}

export type TestBrowser = Awaited<ReturnType<typeof startBrowser>>;

/** What axe finds wrong with the page for people who cannot see it well or use no mouse: a line for each rule and place. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate<
    string[]
  >(`axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' at ' + target.join(' ') + ': ' + failureSummary)))`);
}

/** By how many pixels the page is wider than its window. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');

/** What has the focus after each press of Tab, as its tag and its accessible text, until it comes round or `most` is reached. */
export async function tabStops(page: Page, most = 60): Promise<string[]> {
  const stops: string[] = [];
  for (let pressed = 0; pressed < most; pressed += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate<string | null>(`(() => {
      const at = document.activeElement;
      if (!at || at === document.body) return null;
      const label = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent ?? '';
      return at.tagName.toLowerCase() + ' ' + label.trim().replace(/\\s+/g, ' ');
    })()`);
    if (stop === null) break;
    stops.push(stop);
  }
  return stops;
}
