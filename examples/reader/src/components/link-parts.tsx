import type { VNode } from 'preact';

/** A part of a text, in UTF-16 units. */
export interface TextPart {
  readonly start: number;
  readonly length: number;
}

/** Makes links of some parts of a text. The parts are in the order of the text and do not overlap. */
export function linkParts<Part extends TextPart>(
  text: string,
  parts: readonly Part[],
  pathOf: (part: Part) => string,
): (string | VNode)[] {
  let end = 0;
  const pieces = parts.flatMap((part) => {
    const before = text.slice(end, part.start);
    end = part.start + part.length;
    return [before, <a href={pathOf(part)}>{text.slice(part.start, end)}</a>];
  });
  return [...pieces, text.slice(end)];
}
