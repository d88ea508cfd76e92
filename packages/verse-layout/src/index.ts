export { buildLayout } from './build-layout';
export type {
  Block,
  Heading,
  HeadingKind,
  Inline,
  Layout,
  Line,
  Note,
  NoteKind,
  NoteReference,
  NumberedNote,
  TextBreak,
  TextBreakKind,
  TextMark,
  TextMarkKind,
  VerseLayout,
  VerseWithLayout,
} from './layout-types';
export { type HtmlOptions, layoutCss, renderHtml } from './render-html';
export { renderMarkdown } from './render-markdown';
export { renderText } from './render-text';
