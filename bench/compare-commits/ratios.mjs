// The ratio of two builds that were measured in turn, and its range.

/** How often rounds are drawn anew to find the range. */
const draws = 4_000;

/**
 * Returns the geometric mean of the paired ratios and its range: the central 95 % of the means of rounds that are drawn
 * anew (bootstrap). Two starts of one build differ, so starts are drawn first, then rounds of each start.
 *
 * The mean, not the median: a full garbage collection falls in one of several rounds, and is part of the cost.
 *
 * @param {number[][]} starts the paired ratios of each start's rounds
 * @param {() => number} random returns a number from 0 to 1
 */
export function ratioWithRange(starts, random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const drawOnce = () => {
    const rounds = starts.map(() => pick(starts));
    return geometricMean(rounds.flatMap((ratios) => ratios.map(() => pick(ratios))));
  };
  const means = Array.from({ length: draws }, drawOnce).sort((a, b) => a - b);
  return {
    ratio: geometricMean(starts.flat()),
    low: means[Math.floor(draws * 0.025)],
    high: means[Math.ceil(draws * 0.975) - 1],
  };
}

const geometricMean = (list) => Math.exp(list.reduce((sum, each) => sum + Math.log(each), 0) / list.length);
