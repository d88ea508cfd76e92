import type { ComponentChildren, VNode } from 'preact';
import { Name, useTextAttributes, useTranslation } from './translation-text';

/** A verse in a list: its reference as a link, and its text. */
export function VerseQuote({
  reference,
  path,
  translation,
  notes,
  isEmpty = false,
  children,
}: {
  reference: string;
  path: string;
  /** The identifier of the translation that the reference and the text are from. */
  translation: string;
  /** What stands between the reference and the text, in the language of the page. */
  notes?: ComponentChildren;
  /** Whether the translation lacks the verse. */
  isEmpty?: boolean;
  children: ComponentChildren;
}): VNode {
  const attributes = useTextAttributes(translation);
  return (
    <li>
      <a href={path}>
        <Name text={reference} language={useTranslation(translation)?.language} />
      </a>
      {notes}
      {isEmpty ? <p class="hint">Not in this translation.</p> : <p {...attributes}>{children}</p>}
    </li>
  );
}
