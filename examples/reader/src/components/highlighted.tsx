import type { VNode } from 'preact';

/**
 * A text with some of its parts marked. The parts are in the order of the text and do not overlap.
 */
export function Highlighted({
  text,
  spans,
}: {
  text: string;
  spans: readonly { readonly start: number; readonly length: number }[];
}): VNode {
  const ends = [0, ...spans.map(({ start, length }) => start + length)];
  return (
    <>
      {spans.map(({ start, length }, index) => (
        <>
          {text.slice(ends[index], start)}
          <mark>{text.slice(start, start + length)}</mark>
        </>
      ))}
      {text.slice(ends.at(-1))}
    </>
  );
}

const characters: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/**
 * The context of a concordance line. The service escapes its text and marks matches with <mark>.
 */
export function MarkedContext({ html }: { html: string }): VNode {
  const parts = html
    .split(/<\/?mark>/)
    .map((part) => part.replace(/&(amp|lt|gt);/g, (found) => characters[found] ?? found));
  return <>{parts.map((part, index) => (index % 2 === 0 ? part : <mark>{part}</mark>))}</>;
}
