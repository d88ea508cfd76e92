// @ts-check
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Kind, parse } from 'graphql';

/** ChaptersWithText costs more than the gateway allows, and Glossary needs an imported translation. */
const leftOut = new Set(['ChaptersWithText', 'Glossary']);

/**
 * @typedef {object} Example
 * @property {string} name The operation name.
 * @property {string} title The operation name in words.
 * @property {string} description The comment above the operation.
 * @property {string} query
 */

/**
 * Reads the operations of each subgraph's `examples.graphql`, those of `text` first.
 * @param {string} servicesFolder
 * @returns {Promise<{ service: string, examples: Example[] }[]>}
 */
export async function readExamples(servicesFolder) {
  const services = (await readdir(servicesFolder)).sort(
    (a, b) => Number(b === 'text') - Number(a === 'text') || a.localeCompare(b),
  );
  return Promise.all(
    services.map(async (service) => {
      const source = await readFile(join(servicesFolder, service, 'examples.graphql'), 'utf8');
      const examples = parse(source).definitions.flatMap((definition) => {
        const name = definition.kind === Kind.OPERATION_DEFINITION ? definition.name?.value : undefined;
        if (name === undefined || !definition.loc || leftOut.has(name)) return [];
        const { startToken, start, end } = definition.loc;
        return [{ name, title: toWords(name), description: commentAbove(startToken), query: source.slice(start, end) }];
      });
      return { service: toWords(service), examples };
    }),
  );
}

/**
 * Returns the comment on the lines directly above the token, not one above a blank line.
 * @param {import('graphql').Token} token
 */
function commentAbove(token) {
  const lines = [];
  for (let current = token; current.prev?.kind === 'Comment' && current.prev.line === current.line - 1; ) {
    current = current.prev;
    lines.unshift(current.value.trim());
  }
  return lines.join(' ');
}

/** @param {string} name Such as `TableOfContents`, which becomes "Table of contents". */
function toWords(name) {
  const words = name.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
