import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'graphql';

/** Good against a subgraph alone, and above the price that the gateway lets one query have. */
const tooDear = new Set(['ChaptersWithText']);

/** The operations that the subgraphs' own tests run, by subgraph, each with the comment above it. Reading the text comes first. */
export async function readExamples(services) {
  const names = (await readdir(services)).sort(
    (a, b) => Number(b === 'text') - Number(a === 'text') || a.localeCompare(b),
  );
  return Promise.all(
    names.map(async (service) => {
      const source = await readFile(join(services, service, 'examples.graphql'), 'utf8');
      const operations = parse(source).definitions.filter(({ name }) => !tooDear.has(name.value));
      return {
        service: inWords(service),
        examples: operations.map(({ name, loc }) => ({
          name: name.value,
          title: inWords(name.value),
          about: commentAbove(loc.startToken),
          query: source.slice(loc.start, loc.end),
        })),
      };
    }),
  );
}

/** The lines of comment that touch this token; what stands apart, such as the head of the file, is about something else. */
function commentAbove(token) {
  const lines = [];
  for (let above = token; above.prev?.kind === 'Comment' && above.prev.line === above.line - 1; above = above.prev)
    lines.unshift(above.prev.value.trim());
  return lines.join(' ');
}

/** `TableOfContents` as "Table of contents". */
function inWords(name) {
  const words = name.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
