import { execFileSync, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { type BookCode, books, findBook } from '@lectern/canon';

const isInstalled = spawnSync('mod2imp', { stdio: 'ignore' }).error === undefined;
if (!isInstalled && process.env['CI'] === 'true') throw new Error('mod2imp is missing: apt-get install libsword-utils');
if (!isInstalled)
  process.stderr.write('skipped: comparing every verse with mod2imp (apt-get install libsword-utils)\n');

/** Skips tests on machines without mod2imp, which prints entries with SWORD's own library. */
export const describeWithMod2imp = isInstalled ? describe : describe.skip;

/** Prints the entries of the 66 books. Chapter 0 is an introduction, verse 0 a heading. */
export function printEntries(module: string, confFile: string) {
  const output = execFileSync('mod2imp', [module], {
    env: { ...process.env, SWORD_PATH: join(dirname(confFile), '..') },
    maxBuffer: 1 << 28,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const slots = output.split('$$$').flatMap((slot) => {
    const [, name, chapter, verse, markup = ''] = /^(.+) (\d+):(\d+)\n([^]*)$/.exec(slot) ?? [];
    return name ? [{ name, chapter: Number(chapter), verse: Number(verse), markup }] : [];
  });
  const names = [...new Set(slots.map(({ name }) => name))];
  // mod2imp prints 39 books at the start and 27 at the end. The apocrypha between are left out.
  const codeOf = (name: string): BookCode | undefined => {
    // A module that lacks some books, such as a commentary on the Psalms.
    if (names.length < books.length) return findBook(name)?.code;
    const index = names.indexOf(name);
    const fromEnd = index - names.length + books.length;
    return books[index < 39 ? index : fromEnd < 39 ? -1 : fromEnd]?.code;
  };
  return slots.flatMap(({ name, ...entry }) => {
    const book = codeOf(name);
    return book ? [{ book, ...entry }] : [];
  });
}
