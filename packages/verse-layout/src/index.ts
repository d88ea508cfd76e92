export { buildLayout } from './build';
export { type HtmlOptions, layoutCss, renderHtml } from './html';
export { renderMarkdown, renderText } from './text';
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
} from './types';
