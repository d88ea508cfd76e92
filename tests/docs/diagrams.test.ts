import { createRequire } from 'node:module';
import { findBrowser, launchChromium } from '../support/headless-browser';
import { readDocumentationExamples } from '../support/read-documentation-examples';

const program = findBrowser();
const testInstalled = program === null ? test.skip : test;
const diagrams = readDocumentationExamples('docs/architecture.md').filter(({ language }) => language === 'mermaid');
const mermaid = createRequire(__filename).resolve('mermaid/dist/mermaid.min.js');

/** What each diagram must show, by the heading of its section. */
const shown: Readonly<Record<string, readonly string[]>> = {
  Architecture: ['gateway', 'text', 'search', 'concordance', 'study', 'originals', 'packages/corpus'],
  'The life of a request': ['Client', 'Gateway', 'Subgraph', 'subgraph request with a signed token'],
  'The life of an import': ['text.sqlite', 'search.sqlite', 'served without a restart'],
};

test('docs/architecture.md has a diagram of the parts, of the life of a request and of the life of an import', () => {
  expect(diagrams.map(({ section }) => section)).toEqual(Object.keys(shown));
});

testInstalled('Mermaid renders each diagram of docs/architecture.md with all of its parts', async () => {
  const browser = await launchChromium(program ?? '');
  try {
    const page = await browser.newPage();
    await page.setContent('<!doctype html><body></body>');
    await page.addScriptTag({ path: mermaid });
    for (const [index, { section, code }] of diagrams.entries()) {
      const svg = await page.evaluate<string>(
        `mermaid.render('diagram${index}', ${JSON.stringify(code)}).then(({ svg }) => svg)`,
      );
      const text = await page.evaluate<string>(
        `((holder) => { holder.innerHTML = ${JSON.stringify(svg)}; return holder.textContent; })(document.createElement('div'))`,
      );
      for (const part of shown[section] ?? []) expect(text).toContain(part);
    }
  } finally {
    await browser.close();
  }
});
