import { cpus, freemem, release, totalmem, type } from 'node:os';
import { telling } from './settings.mjs';

const sorted = (list) => list.toSorted((a, b) => a - b);
const at = (list, share) => list[Math.min(list.length - 1, Math.floor(list.length * share))];
const median = (list) => at(sorted(list), 0.5);
const known = (number, digits) => (number === null ? '-' : number.toFixed(digits));
const gigabytes = (bytes) => (bytes / 1e9).toFixed(1);
const table = (head, rows) =>
  [head, head.map((_, index) => (index === 0 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
const times = (ratio) => (ratio >= 10 ? ratio.toFixed(1) : ratio.toFixed(2));

/** Of one contender's rounds at one operation; `baseline` are those of the one it is compared with, of the same rounds. */
export function summarise(rounds, baseline) {
  const ratios = baseline ? rounds.map(({ rate }, round) => rate / baseline[round].rate) : null;
  const latencies = sorted(rounds.flatMap((round) => round.latencies));
  const cpu = (name) =>
    rounds.some((round) => round[name] === null) ? null : median(rounds.map((round) => round[name]));
  return {
    rate: median(rounds.map(({ rate }) => rate)),
    ratio: ratios && { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) },
    p50: at(latencies, 0.5),
    p99: at(latencies, 0.99),
    routerCpu: cpu('routerCpu'),
    subgraphsCpu: cpu('subgraphsCpu'),
    clientCpu: cpu('clientCpu'),
  };
}

export const lineOf = ({ rate, ratio, p50, p99, routerCpu, subgraphsCpu }) =>
  `${rate.toFixed(0).padStart(6)} req/s  p50 ${p50.toFixed(1).padStart(6)} ms  p99 ${p99.toFixed(1).padStart(6)} ms  CPU a request ${known(routerCpu, 3)} + ${known(subgraphsCpu, 3)} ms${ratio ? `  x${times(ratio.median)} (${times(ratio.least)} to ${times(ratio.most)})` : ''}`;

/** bench/results.md, whole. */
export function resultsPage({
  date,
  commit,
  load,
  versions,
  settings,
  baseline,
  contenders,
  operations,
  results,
  memory,
  absent,
  failures,
}) {
  const title = (name) => contenders.find((contender) => contender.name === name)?.title ?? name;
  const isShort = settings.rounds < telling.rounds || settings.seconds < telling.seconds;
  const resultsOf = (operation) =>
    contenders
      .filter(({ name }) => results[operation.name]?.[name])
      .map(({ name }) => [name, results[operation.name][name]]);
  const shown = operations.filter((operation) => resultsOf(operation).length > 0);
  const taking = contenders.filter(({ name }) => shown.some((operation) => results[operation.name][name]));
  const clientCpu = shown.flatMap((operation) => resultsOf(operation).map(([, { clientCpu }]) => clientCpu));

  return `# Results of \`npm run bench\`

Written by the bench; [README.md](README.md) says how to read it.
${isShort ? `\n**A short run, of ${settings.rounds} x ${settings.seconds} s a figure: it shows that the bench runs, and no more than that.**\n` : ''}
- ${date.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${commit}
- ${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}, ${gigabytes(totalmem())} GB of memory (${gigabytes(freemem())} free), ${type()} ${release()}, Node ${process.version}; load before the start ${load.toFixed(2)}
- ${settings.connections} connections; ${settings.rounds} rounds of ${settings.seconds} s after one second to warm up, the contenders in turn within a round; the figures are medians over the rounds
- The caller shares the processors with all it measures, and takes ${known(median(clientCpu), 2)} ms of CPU a request itself. So a rate is of the whole chain on this machine, and the CPU a request is what to plan with
- The answers of all contenders were compared with each other before a figure was taken, and none under load had an error in it
- Lectern and the JSON route look up a key and count its rate for every request, and Lectern judges depth and cost; the other gateways do none of that. No contender gives an answer from memory but the one named so; Hive Gateway asks a subgraph once for what several callers ask at the same time
- ${versions.map(([name, version]) => `${name} ${version}`).join(', ')}

## Requests a second, as multiples of ${title(baseline)}'s

${table(
  ['', ...taking.map((contender) => contender.title)],
  shown.map((operation) => [
    `\`${operation.name}\``,
    ...taking.map(({ name }) => {
      const ratio = results[operation.name][name]?.ratio;
      return ratio ? times(ratio.median) : '-';
    }),
  ]),
)}

${contenders.map((contender) => `- **${contender.title}** (\`${contender.name}\`): ${contender.about}${absent[contender.name] ? `. **Not measured: ${absent[contender.name]}**` : ''}`).join('\n')}

${shown
  .map(
    (operation) => `## \`${operation.name}\`

${capital(operation.about)}. ${operation.isConstant ? 'Always the same.' : `${operation.turns.length} different ones, each caller its own share.`}

${table(
  [
    '',
    `to ${title(baseline)} (least to most)`,
    'requests/s',
    'p50, ms',
    'p99, ms',
    'CPU of the router, ms',
    'of the subgraphs, ms',
    'in all, ms',
  ],
  resultsOf(operation).map(([name, { ratio, rate, p50, p99, routerCpu, subgraphsCpu }]) => [
    title(name),
    spread(ratio, name === baseline),
    rate.toFixed(0),
    p50.toFixed(1),
    p99.toFixed(1),
    known(routerCpu, 3),
    known(subgraphsCpu, 3),
    known(routerCpu === null || subgraphsCpu === null ? null : routerCpu + subgraphsCpu, 3),
  ]),
)}
`,
  )
  .join('\n')}
## Memory, in MB resident

Of each process: once all were up, after the last request, and the most in between. Semantic search is switched off everywhere; [memory.mjs](memory.mjs) measures it.

${table(
  ['', 'at the start', 'at the end', 'at most'],
  memory.map(({ name, start, end }) => [
    title(name),
    known(start && start.now, 0),
    known(end && end.now, 0),
    known(end && end.most, 0),
  ]),
)}

## What could not be measured

${failures.length === 0 ? 'Nothing: every contender answered everything it was asked.' : failures.map(({ contender, operation, reason }) => `- ${title(contender)}${operation ? `, \`${operation}\`` : ''}: ${reason}`).join('\n')}
`;
}

const spread = (ratio, isBaseline) =>
  isBaseline ? '1' : ratio ? `${times(ratio.median)} (${times(ratio.least)} to ${times(ratio.most)})` : '-';

const capital = (text) => text[0].toUpperCase() + text.slice(1);
