import type { VNode } from 'preact';

/** A part of a text, in UTF-16 units. */
export interface TextPart {
  readonly start: number;
  readonly length: number;
}

/**
 * Makes links of some parts of a text. The parts are in the order of the text. Parts at the same
 * place become one link: the service returns `Luke 15:4,6,32` as three references at one place.
 * Other parts do not overlap.
 */
export function linkTextParts<Part extends TextPart>(
  text: string,
  parts: readonly Part[],
  pathOf: (first: Part, ...others: Part[]) => string,
): (string | VNode)[] {
  let end = 0;
  const pieces = parts.flatMap((part, index) => {
    const { start, length } = part;
    if (parts[index - 1]?.start === start) return [];
    const others = parts.slice(index + 1).filter((each) => each.start === start);
    const before = text.slice(end, start);
    end = start + length;
    return [before, <a href={pathOf(part, ...others)}>{text.slice(start, end)}</a>];
  });
  return [...pieces, text.slice(end)];
}
