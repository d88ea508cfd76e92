import { findProgram } from '@lectern/testing';
import axe from 'axe-core';
import type { Browser, Page, Request } from 'playwright-core';
import { chromium } from 'playwright-core';
import { waitUntil } from './processes';

/**
 * Returns the path of Chromium. Prefers the build without a window (chromium-headless-shell), which
 * needs half the processor time. Without Chromium, prints one line and returns null, or throws if
 * CI=true.
 */
export const findBrowser = (): string | null =>
  findProgram(['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'], 'chromium-headless-shell');

/** Starts Chromium without a window. */
export const launchChromium = (program: string): Promise<Browser> =>
  chromium.launch({
    executablePath: program,
    // Chromium's sandbox does not work for the user root, as whom tests run in most containers.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });

export interface OpenOptions {
  /** The size of the window in pixels. */
  width?: number;
  height?: number;
  colours?: 'light' | 'dark';
  /**
   * What `window.prompt` of the page returns. No dialog appears: a dialog that opens while the page
   * loads sometimes cannot be answered ("Not attached to an active page"), and the page never loads.
   */
  promptAnswer?: string;
}

export interface OpenPage {
  page: Page;
  /**
   * The problems that the browser has reported since it opened the page. Problems are console
   * errors and warnings, exceptions, violations of the content security policy, failed requests and
   * requests to other origins.
   */
  problems: readonly string[];
  /** Resolves when each request that the page has sent so far has a response or has failed. */
  requestsEnded(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts Chromium without a window. Each page that `open` opens has its own storage and cookies.
 */
export async function startBrowser(program: string) {
  const browser = await launchChromium(program);

  return {
    async open(
      url: string,
      { width = 1280, height = 900, colours = 'light', promptAnswer }: OpenOptions = {},
    ): Promise<OpenPage> {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: colours,
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      const problems = collectProblems(page, new URL(url).origin);
      const requestsEnded = trackRequests(page);
      await page.addInitScript(
        `document.addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`,
      );
      if (promptAnswer !== undefined) await page.addInitScript(`window.prompt = () => ${JSON.stringify(promptAnswer)}`);
      await page.goto(url, { waitUntil: 'networkidle' });
      return { page, problems, requestsEnded, close: () => context.close() };
    },
    close: () => browser.close(),
  };
}

export type TestBrowser = Awaited<ReturnType<typeof startBrowser>>;

/** Returns an array to which each problem is added when the browser reports it. */
function collectProblems(page: Page, origin: string): readonly string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`));
  page.on('requestfailed', (request) => problems.push(`failed: ${request.url()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:'))
      problems.push(`other origin: ${request.url()}`);
  });
  return problems;
}

/** Returns a function that resolves when the page has no request in flight. */
function trackRequests(page: Page): () => Promise<void> {
  const inFlight = new Set<Request>();
  page.on('request', (request) => inFlight.add(request));
  page.on('requestfinished', (request) => inFlight.delete(request));
  page.on('requestfailed', (request) => inFlight.delete(request));
  return () => waitUntil(() => inFlight.size === 0);
}

/**
 * Waits until the page has loaded, and checks it with axe, a library for accessibility tests.
 * Returns the violations of WCAG 2.2, levels A and AA, and of axe's best practices: one text for
 * each rule and element.
 */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  await page.waitForLoadState();
  if (!(await page.evaluate<boolean>('Boolean(window.axe)'))) await page.evaluate(axe.source);
  return page.evaluate<
    string[]
  >(`axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'] })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' at ' + target.join(' ') + ': ' + failureSummary)))`);
}

/** Returns by how many pixels the page is wider than the window. 0 if the page fits. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate<number>('Math.max(0, document.documentElement.scrollWidth - window.innerWidth)');

/** Presses Tab at most `max` times. Returns the tag name and label of each focused element. */
export async function tabStops(page: Page, max = 60): Promise<string[]> {
  const stops: string[] = [];
  for (let presses = 0; presses < max; presses += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate<string | null>(`(() => {
      const focused = document.activeElement;
      if (!focused || focused === document.body) return null;
      const label = focused.getAttribute('aria-label') ?? focused.labels?.[0]?.textContent ?? focused.textContent ?? '';
      return focused.tagName.toLowerCase() + ' ' + label.trim().replace(/\\s+/g, ' ');
    })()`);
    if (stop === null) break;
    stops.push(stop);
  }
  return stops;
}
