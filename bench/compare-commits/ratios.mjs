// The ratios of two builds that were measured in turn, and their ranges.

/** How often the rounds are drawn anew to find the range. */
const draws = 4_000;

/**
 * Returns the median of the paired ratios and its range: the central 95 % of the medians of rounds that are drawn anew
 * (bootstrap). Two starts of one build differ, so starts are drawn first, then rounds of each start.
 *
 * @param {number[][]} starts the paired ratios of each start's rounds
 * @param {() => number} random returns a number from 0 to 1
 */
export function ratioWithRange(starts, random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const medians = Array.from({ length: draws }, () =>
    median(
      starts.flatMap(() => {
        const rounds = pick(starts);
        return rounds.map(() => pick(rounds));
      }),
    ),
  ).sort((a, b) => a - b);
  return {
    ratio: median(starts.flat()),
    low: medians[Math.floor(draws * 0.025)],
    high: medians[Math.ceil(draws * 0.975) - 1],
  };
}

/** @param {number[]} list */
export function median(list) {
  const sorted = list.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
