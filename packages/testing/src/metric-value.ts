/** The sum of the lines in a page of metrics that begin with this name and hold all these labels; 0 where there is none. */
export const metricValue = (page: string, name: string, ...labels: string[]): number =>
  page
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
