import { existsSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import { readText } from './command.mjs';

const longestDays = 180;
const dayMs = 24 * 60 * 60 * 1000;
const dayOf = (ms) => new Date(ms).toISOString().slice(0, 10);

/**
 * The breaks that are allowed for a time: `{ change, until, reason, line }`. An entry that is wrong or whose day is over is a fault of the
 * tree, so that nobody forgets it. `now` in milliseconds; days are those of UTC, the last one included.
 */
export function readAllowances(file, now) {
  if (!existsSync(file)) return { allowances: [], faults: [] };
  const lineCounter = new LineCounter();
  const document = parseDocument(readText(file), { lineCounter });
  if (document.errors.length > 0)
    return {
      allowances: [],
      faults: document.errors.map(
        (error) => `${file}:${error.linePos?.[0].line ?? 1}: ${error.message.split('\n')[0]}`,
      ),
    };
  const entries = document.toJS() ?? [];
  if (!Array.isArray(entries))
    return { allowances: [], faults: [`${file}: must be a list of entries with change, until and reason`] };
  const read = entries.map((entry, index) => {
    const { line } = lineCounter.linePos(document.contents.items[index].range[0]);
    return { entry: { ...entry, line }, faults: faultsOf(entry, now).map((words) => `${file}:${line}: ${words}`) };
  });
  return {
    allowances: read.filter(({ faults }) => faults.length === 0).map(({ entry }) => entry),
    faults: read.flatMap(({ faults }) => faults),
  };
}

function faultsOf(entry, now) {
  if (typeof entry !== 'object' || entry === null) return ['must have change, until and reason'];
  const known = ['change', 'until', 'reason'];
  const unknown = Object.keys(entry)
    .filter((key) => !known.includes(key))
    .map((key) => `unknown key "${key}" (known: ${known.join(', ')})`);
  const missing = known
    .filter((key) => typeof entry[key] !== 'string' || entry[key].trim() === '')
    .map((key) => `${key} is missing, or is no text`);
  if (unknown.length + missing.length > 0) return [...unknown, ...missing];
  if (!isDay(entry.until)) return [`until must be a day as YYYY-MM-DD, and is "${entry.until}"`];
  if (entry.until < dayOf(now))
    return [
      `expired on ${entry.until}: "${entry.change}". Bring back what clients were promised, or, where every client has moved, change the contract and remove the entry.`,
    ];
  if (entry.until > dayOf(now + longestDays * dayMs))
    return [
      `until may lie ${longestDays} days ahead, up to ${dayOf(now + longestDays * dayMs)}, and is ${entry.until}`,
    ];
  return [];
}

function isDay(text) {
  const ms = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(ms) && dayOf(ms) === text;
}
