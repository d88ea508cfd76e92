import type { Html } from './html';
import { html } from './html';

export interface Page {
  /** The title in the browser's tab and in search results. The site's name is appended. */
  title: string;
  main: Html;
  /** Paths of the page's own style sheets and scripts, in addition to the site's style sheet. */
  styles?: readonly string[];
  scripts?: readonly string[];
}

/** The navigation of every page. The navigation does not show the operator's pages. */
const navigation = [
  ['/explorer', 'Explorer'],
  ['/reference', 'Reference'],
  ['/changes', 'Changes'],
  ['/api-keys/request', 'Request a key'],
] as const;

/** Renders a whole HTML document. */
export const renderPage = ({ title, main, styles = [], scripts = [] }: Page): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} - Lectern</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="alternate" type="application/atom+xml" title="Changes of the API" href="/changes.atom">
<link rel="stylesheet" href="/assets/site.css">
${styles.map((path) => html`<link rel="stylesheet" href="${path}">\n`)}${scripts.map((path) => html`<script type="module" src="${path}"></script>\n`)}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="site"><a class="name" href="/">Lectern</a><nav aria-label="Site">${navigation.map(([path, name]) => html`<a href="${path}">${name}</a>`)}</nav></header>
<main id="main" tabindex="-1">
${main}
</main>
</body>
</html>
`.markup;
