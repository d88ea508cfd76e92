/**
 * Sums the samples of a metric in the Prometheus text format that have all `labels`. A label is
 * written as `name="value"`. Samples without any label do not count, also if `labels` is empty.
 * Returns 0 if there is no such sample.
 */
export const metricValue = (exposition: string, name: string, ...labels: string[]): number =>
  exposition
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
