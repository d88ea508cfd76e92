import { readFileSync } from 'node:fs';
import { isBookCode, type Place } from '@lectern/canon';
import { errors } from '@lectern/errors';

/** Each of the file's 366 lines has a day, a tab and King James verses of one chapter: `12-25`, `LUK.2.10-11`. */
export function createDailyPassages(file: string, now = () => new Date()) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const byDay = new Map(lines.filter((line) => line !== '' && !line.startsWith('#')).map(parseLine));
  return {
    /** Returns verses in the standard numbering. Null means today (UTC). Throws `badUserInput`. */
    versesOf(date: unknown): readonly Place[] {
      const day = date === null ? now().toISOString().slice(0, 10) : validDate(date);
      const places = byDay.get(day.slice(5));
      if (!places) throw new Error(`${file} has no passage for ${day}`);
      return places;
    },
  };
}

export type DailyPassages = ReturnType<typeof createDailyPassages>;

function parseLine(line: string): [day: string, verses: readonly Place[]] {
  const [, day, book = '', chapter, first, last = first] =
    /^(\d\d-\d\d)\t(\w+)\.(\d+)\.(\d+)(?:-(\d+))?$/.exec(line) ?? [];
  if (!day || !isBookCode(book)) throw new Error(`Malformed line in the file of daily passages: ${line}`);
  const verses: Place[] = [];
  for (let verse = Number(first); verse <= Number(last); verse += 1)
    verses.push({ book, chapter: Number(chapter), verse });
  return [day, verses];
}

function validDate(date: unknown): string {
  const isDay =
    typeof date === 'string' &&
    /^\d{4}-\d{2}-\d{2}$/.test(date) &&
    new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date);
  if (!isDay) throw errors.badUserInput('date must be a day that exists, written YYYY-MM-DD');
  return date;
}
