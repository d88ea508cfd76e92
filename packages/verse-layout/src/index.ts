export { buildLayout } from './build';
export { type HtmlOptions, layoutCss, renderHtml } from './html';
export { renderMarkdown, renderText } from './text';
export type * from './types';
