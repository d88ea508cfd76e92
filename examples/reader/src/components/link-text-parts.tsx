import type { VNode } from 'preact';

/** A part of a text, in UTF-16 units. */
export interface TextPart {
  readonly start: number;
  readonly length: number;
}

/**
 * Turns parts of a text into links, or into buttons if `targetOf` returns a function. The parts are in the order of the
 * text. Parts at the same place become one link: the service returns `Luke 15:4,6,32` as three references at one place.
 * Other parts do not overlap.
 */
export function linkTextParts<Part extends TextPart>(
  text: string,
  parts: readonly Part[],
  targetOf: (first: Part, ...others: Part[]) => string | (() => void),
): (string | VNode)[] {
  let end = 0;
  const pieces = parts.flatMap((part, index) => {
    const { start, length } = part;
    if (parts[index - 1]?.start === start) return [];
    const others = parts.slice(index + 1).filter((each) => each.start === start);
    const before = text.slice(end, start);
    end = start + length;
    const target = targetOf(part, ...others);
    const linked = text.slice(start, end);
    if (typeof target === 'string') return [before, <a href={target}>{linked}</a>];
    return [
      before,
      <button type="button" class="link" aria-haspopup="dialog" onClick={target}>
        {linked}
      </button>,
    ];
  });
  return [...pieces, text.slice(end)];
}
