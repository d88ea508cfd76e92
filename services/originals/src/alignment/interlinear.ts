import type { OriginalWord } from '../reader';
import { type AlignedTag, type AlignedVerse, originalsOf, overlap, type Span, wordsOf } from './aligned-verses';

export type InterlinearOrder = 'ORIGINAL' | 'TRANSLATION';

/** Original words and the words of the translation that render them. Either list may be empty. */
export interface Column {
  readonly verse: AlignedVerse;
  readonly originals: readonly OriginalWord[];
  /** The words of the translation, in the order of the text. */
  readonly words: readonly Span[];
}

/** The order of the original has a column for every original word, and that of the text for every translated word. */
export const columnsOf = (verse: AlignedVerse, order: InterlinearOrder): Column[] =>
  order === 'ORIGINAL' ? inOriginalOrder(verse) : inTextOrder(verse);

/** Returns columns in the order of the original. Adjacent original words that the same tags render form one column. */
function inOriginalOrder(verse: AlignedVerse): Column[] {
  const groups = groupBy(verse.originals, (word) => verse.tags.filter(({ originals }) => originals.includes(word)));
  return groups.flatMap(([originals, tags]) =>
    tags.length === 0
      ? originals.map((word) => ({ verse, originals: [word], words: [] }))
      : [{ verse, originals, words: wordsOf(verse, tags) }],
  );
}

/** Adjacent words that render the same original words form one column. */
function inTextOrder(verse: AlignedVerse): Column[] {
  const tagsOf = (word: Span): AlignedTag[] => verse.tags.filter((tag) => overlap(tag, word));
  const groups = groupBy(verse.words(), (word) => originalsOf(verse, tagsOf(word)));
  return groups.map(([words, originals]) => ({ verse, originals, words }));
}

/** Groups adjacent items that have equal lists of keys. */
function groupBy<Item, Key>(
  items: readonly Item[],
  keysOf: (item: Item) => readonly Key[],
): [Item[], readonly Key[]][] {
  const groups: [Item[], readonly Key[]][] = [];
  for (const item of items) {
    const keys = keysOf(item);
    const last = groups.at(-1);
    const isSame = last && last[1].length === keys.length && last[1].every((key, index) => key === keys[index]);
    if (isSame) last[0].push(item);
    else groups.push([[item], keys]);
  }
  return groups;
}

/** Returns the translated words, with ` … ` between those that are not adjacent. Null if there are none. */
export function renderingOf({ verse, words }: Column): string | null {
  const all = verse.words();
  const runs: Span[][] = [];
  let previous = -2;
  for (const word of words) {
    const index = all.indexOf(word);
    if (index === previous + 1) runs.at(-1)?.push(word);
    else runs.push([word]);
    previous = index;
  }
  const texts = runs.map((run) => {
    const [first, last] = [run[0], run.at(-1)];
    return first && last ? verse.text.slice(first.start, last.start + last.length) : '';
  });
  return texts.length === 0 ? null : texts.join(' … ');
}
