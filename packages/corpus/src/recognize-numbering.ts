import { chapterEnds, type Numbering, numberings, ordinalParts } from '@lectern/canon';
import type { DraftVerse } from './translation';

/** The minimum share of chapters whose last verse must agree with a numbering. */
const minShare = 0.8;

/**
 * Returns the numbering with which the chapters' last verses of a text agree best, and a remark that says how well.
 * If several are equally good, returns `named` or else the first of `numberings`. If none is good enough, returns
 * `named`. The remark is null if no chapter is complete.
 */
export function recognizeNumbering(
  verses: readonly DraftVerse[],
  named: Numbering,
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
  const [best, next] = numberings
    .map((numbering) => ({ numbering, count: endsAlike(numbering) }))
    .sort((a, b) => b.count - a.count || Number(b.numbering === named) - Number(a.numbering === named));
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
