import type { AdminFixture } from './support/admin-fixture';
import { operatorPassword, startAdminFixture } from './support/admin-fixture';
import type { TestBrowser } from './support/headless-browser';
import { accessibilityViolations, findBrowser, horizontalOverflow, startBrowser } from './support/headless-browser';

const program = findBrowser();
(program === null ? describe.skip : describe)("the operator's pages in a browser", () => {
  let operators: AdminFixture;
  let browser: TestBrowser;
  beforeAll(async () => {
    operators = await startAdminFixture();
    browser = await startBrowser(program ?? '');
  });
  afterAll(async () => {
    await browser.close();
    await operators.lectern.close();
  });

  test('a request is approved on a telephone, and every page on the way can be used without sight or mouse', async () => {
    const { id, email } = await operators.requestKey(
      'telephone@example.org',
      'Telephone Reader',
      `A long word: ${'x'.repeat(300)}`,
    );
    const { page, problems, close } = await browser.open(`${operators.lectern.origin}/admin/requests/${id}`, {
      width: 360,
      height: 740,
    });
    const faults = async () => [await accessibilityViolations(page), await horizontalOverflow(page)];
    expect(await faults()).toEqual([[], 0]);
    await page.getByLabel('Password').fill(operatorPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/admin/requests/${id}`);
    expect(await faults()).toEqual([[], 0]);
    await page.getByRole('link', { name: 'Requests' }).click();
    expect(await faults()).toEqual([[], 0]);
    await page.getByRole('button', { name: 'Approve the request of Telephone Reader' }).click();
    await page.waitForURL('**?done=approved');
    expect(await page.getByRole('status').textContent()).toBe('Approved: the key is made, and mailed.');
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('status');
    expect(await faults()).toEqual([[], 0]);
    expect(await operators.mailsTo(email)).toHaveLength(1);
    expect(problems).toEqual([]);
    await close();
  });

  test('the other pages have no faults either, in light and in dark', async () => {
    const { key } = await operators.lectern.keys.issue(
      { email: 'looked-at@example.org', name: 'Looked At', environment: 'test' },
      'a test',
    );
    const request = await operators.requestKey('looked-at-too@example.org');
    for (const colours of ['light', 'dark'] as const) {
      const { page, close } = await browser.open(`${operators.lectern.origin}/admin`, {
        width: 360,
        height: 740,
        colours,
      });
      await page.getByLabel('Password').fill(operatorPassword);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/admin/requests');
      for (const path of [
        '/admin/keys',
        `/admin/keys/${key.id}`,
        `/admin/keys/${key.id}/revoke`,
        '/admin/new-key',
        '/admin/audit',
        `/admin/requests/${request.id}/reject`,
      ]) {
        await page.goto(`${operators.lectern.origin}${path}`);
        expect([path, await accessibilityViolations(page), await horizontalOverflow(page)]).toEqual([path, [], 0]);
      }
      await page.getByRole('button', { name: 'Reject the request' }).click();
      await page.waitForSelector('[role=alert]');
      expect([await accessibilityViolations(page), await horizontalOverflow(page)]).toEqual([[], 0]);
      await close();
    }
  });
});
