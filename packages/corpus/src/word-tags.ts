import type { WordTag } from './translation';

/** Tags as one line: `gap,length,G26+G3588` for each, the gap counted from the start of the tag before. */
export function encodeTags(words: readonly WordTag[]): string {
  let from = 0;
  return words
    .map(({ start, length, strongs }) => {
      const gap = start - from;
      from = start;
      return `${gap},${length},${strongs.join('+')}`;
    })
    .join(' ');
}

export function decodeTags(line: string): WordTag[] {
  let start = 0;
  return line.split(' ').map((tag) => {
    const [gap, length, strongs = ''] = tag.split(',');
    start += Number(gap);
    return { start, length: Number(length), strongs: strongs.split('+') };
  });
}
