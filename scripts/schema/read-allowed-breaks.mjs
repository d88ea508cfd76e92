import { existsSync } from 'node:fs';
import { isSeq, LineCounter, parseDocument } from 'yaml';
import { readText } from '../command-line.mjs';

const maxDaysAhead = 180;
const dayMs = 24 * 60 * 60 * 1000;

/** Formats a time as the UTC day YYYY-MM-DD. */
const utcDay = (ms) => new Date(ms).toISOString().slice(0, 10);

/**
 * Reads the breaking changes that are allowed until a day: `{ change, until, reason, line }`.
 * Malformed and expired entries are returned as `errors`, each with file and line.
 * `now` is in milliseconds. Days are UTC, and the last day is included.
 */
export function readAllowedBreaks(file, now) {
  if (!existsSync(file)) return { allowedBreaks: [], errors: [] };
  const lineCounter = new LineCounter();
  const document = parseDocument(readText(file), { lineCounter });
  if (document.errors.length > 0)
    return {
      allowedBreaks: [],
      errors: document.errors.map(
        (error) => `${file}:${error.linePos?.[0].line ?? 1}: ${error.message.split('\n')[0]}`,
      ),
    };
  const entries = document.toJS() ?? [];
  if (!Array.isArray(entries))
    return { allowedBreaks: [], errors: [`${file}: must be a list of entries with change, until and reason`] };
  /** @type {{ range: [number, number, number] }[]} */
  const nodes = isSeq(document.contents) ? Object(document.contents.items) : [];
  const read = entries.map((entry, index) => {
    const { line } = lineCounter.linePos(nodes[index].range[0]);
    const errors = entryErrors(entry, now).map((message) => `${file}:${line}: ${message}`);
    return { entry: { ...entry, line }, errors };
  });
  return {
    allowedBreaks: read.filter(({ errors }) => errors.length === 0).map(({ entry }) => entry),
    errors: read.flatMap(({ errors }) => errors),
  };
}

function entryErrors(entry, now) {
  if (typeof entry !== 'object' || entry === null) return ['must have change, until and reason'];
  const known = ['change', 'until', 'reason'];
  const unknownKeys = Object.keys(entry)
    .filter((key) => !known.includes(key))
    .map((key) => `unknown key "${key}" (known: ${known.join(', ')})`);
  const missingKeys = known
    .filter((key) => typeof entry[key] !== 'string' || entry[key].trim() === '')
    .map((key) => `${key} is missing or not a string`);
  if (unknownKeys.length + missingKeys.length > 0) return [...unknownKeys, ...missingKeys];
  return untilErrors(entry, now);
}

function untilErrors({ change, until }, now) {
  if (!isDay(until)) return [`until must be a day as YYYY-MM-DD, and is "${until}"`];
  if (until < utcDay(now))
    return [
      `expired on ${until}: "${change}". Restore the element, or change the contract and remove this entry if all clients have migrated.`,
    ];
  const lastDay = utcDay(now + maxDaysAhead * dayMs);
  return until > lastDay ? [`until may lie ${maxDaysAhead} days ahead, up to ${lastDay}, and is ${until}`] : [];
}

function isDay(text) {
  const ms = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(ms) && utcDay(ms) === text;
}
