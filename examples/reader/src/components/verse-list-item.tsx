import type { ComponentChildren, VNode } from 'preact';

/** A verse in a list: its reference as a link, and its text. */
export function VerseQuote({
  reference,
  path,
  children,
}: {
  reference: string;
  path: string;
  children: ComponentChildren;
}): VNode {
  return (
    <li>
      <a href={path}>{reference}</a>
      <p>{children}</p>
    </li>
  );
}
