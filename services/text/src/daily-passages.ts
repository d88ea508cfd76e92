import { readFileSync } from 'node:fs';
import type { Place } from '@lectern/canon';
import { isBookCode } from '@lectern/canon';
import { errors } from '@lectern/errors';

/** A run of verses in one chapter, in standard numbering. */
export type DailyPlaces = readonly Place[];

/**
 * The passage of each day of the year, from a file with a line a day: `12-25`, a tab, `LUK.2.10-11`.
 * A leap day has one too, so there are 366.
 */
export function createDailyPassages(file: string, { now = () => new Date() } = {}) {
  const byDay = new Map(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map(parseLine),
  );
  return {
    /** `date` as YYYY-MM-DD; null is today in UTC. Whatever else a client sends for a date is refused. */
    places(date: unknown): DailyPlaces {
      const day = date === null ? now().toISOString().slice(0, 10) : checkedDate(date);
      const places = byDay.get(day.slice(5));
      if (!places) throw new Error(`${file} has no passage for ${day}`);
      return places;
    },
    /** MM-DD of every day that has a passage. */
    days: (): string[] => [...byDay.keys()],
  };
}

export type DailyPassages = ReturnType<typeof createDailyPassages>;

function parseLine(line: string): [string, DailyPlaces] {
  const [day = '', reference = ''] = line.split('\t');
  const [book = '', chapter, range = ''] = reference.split('.');
  const [first, last = first] = range.split('-').map(Number);
  if (!isBookCode(book) || first === undefined || last === undefined || !/^\d\d-\d\d$/.test(day))
    throw new Error(`not a line of daily passages: ${line}`);
  return [
    day,
    Array.from({ length: last - first + 1 }, (_, index) => ({ book, chapter: Number(chapter), verse: first + index })),
  ];
}

function checkedDate(date: unknown): string {
  const isDay =
    typeof date === 'string' &&
    /^\d{4}-\d{2}-\d{2}$/.test(date) &&
    new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date);
  if (isDay !== true) throw errors.badUserInput('date must be a day that exists, written YYYY-MM-DD');
  return date;
}
