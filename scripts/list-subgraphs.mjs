import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export const subgraphsPage = 'docs/run.md';

const table = /^\| subgraph \| port \|.*\n\| ---.*\n(?:\|.*\n)*/m;

/**
 * Replaces the table of the subgraphs in the text of docs/run.md. Their names and ports are those of
 * supergraph.yaml, their images and memory those of docker-compose.yml. Reads the files of the working directory.
 *
 * @param {string} page
 */
export function withSubgraphs(page) {
  const { subgraphs } = parse(readFileSync('supergraph.yaml', 'utf8'));
  const { services } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true });
  const rows = Object.entries(subgraphs).map(([name, { routing_url: url }]) => {
    const { image, mem_limit: memory } = services[name];
    return `| \`${name}\` | ${new URL(url).port} | \`npm run start -w services/${name}\` | \`${image}\` | ${memory} |\n`;
  });
  if (!table.test(page)) throw new Error(`${subgraphsPage} has no table of the subgraphs`);
  const head =
    '| subgraph | port | starts with | image | memory of its container |\n| --- | ---: | --- | --- | ---: |\n';
  return page.replace(table, () => head + rows.join(''));
}
