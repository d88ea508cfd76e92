import { chapterEnds, type Numbering, numberings, ordinalParts } from '@lectern/canon';
import { booksOf, unusedLines } from './formats/versification';
import type { DraftVerse, Versification } from './translation';

const letters = /\p{L}/gu;
const rightToLeftLetters =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/gu;

/** Returns whether most letters of the first verses are of a script that runs from right to left. */
export function isRightToLeft(verses: readonly DraftVerse[]): boolean {
  const count = (kind: RegExp): number =>
    verses.slice(0, 100).reduce((sum, { text }) => sum + (text.match(kind)?.length ?? 0), 0);
  return count(rightToLeftLetters) * 2 > count(letters);
}

/** The minimum share of chapters whose last verse must agree with a numbering. */
const minShare = 0.8;

/**
 * Returns the numbering with which the last verses agree best, and `named` if none is good. Of equal ones, it is that
 * with the most mappings of `versification`, then `named`, then the first. The remark says how well it fits, or is null
 * without a complete chapter.
 */
export function recognizeNumbering(
  verses: readonly DraftVerse[],
  named: Numbering,
  versification?: Versification,
): { numbering: Numbering; remark: string | null } {
  const ends = new Map<number, number>();
  for (const { ordinal } of verses) {
    const chapter = Math.floor(ordinal / 1_000);
    ends.set(chapter, Math.max(ends.get(chapter) ?? 0, ordinal % 1_000));
  }
  const endsAlike = (numbering: Numbering): number =>
    [...ends].filter(([key, end]) => {
      const place = ordinalParts(key * 1_000);
      return place && chapterEnds(numbering, place.book)[place.chapter - 1] === end;
    }).length;
  const books = booksOf(verses);
  const [best, next] = numberings
    .map((numbering) => ({
      numbering,
      count: endsAlike(numbering),
      unused: unusedLines({ versification, numbering, verses }, books).length,
    }))
    .sort(
      (a, b) =>
        b.count - a.count || a.unused - b.unused || Number(b.numbering === named) - Number(a.numbering === named),
    );
  if (!best || !next) throw new Error('There are several numberings');
  if (best.count === 0) return { numbering: named, remark: null };
  const counts = `of ${ends.size} chapters, ${best.count} end as in ${best.numbering} and ${next.count} as in ${next.numbering}`;
  if (best.count < minShare * ends.size)
    return {
      numbering: named,
      remark: `no numbering fits (${counts}): ${named} is assumed, --numbering changes that`,
    };
  return { numbering: best.numbering, remark: `numbering ${best.numbering} (${counts}); --numbering changes that` };
}
