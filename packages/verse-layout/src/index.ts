export { buildLayout } from './build';
export { type HtmlOptions, layoutCss, renderHtml, renderMarkdown, renderText } from './render';
export type * from './types';
