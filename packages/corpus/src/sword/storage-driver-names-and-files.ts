import { importError } from '../import-errors-and-remarks';

/** SWORD's storage formats that can be read. */
export type Driver = (typeof textDrivers)[number] | (typeof commentaryDrivers)[number];
export const textDrivers = ['zText', 'zText4', 'RawText', 'RawText4'] as const;
/**
 * The storage formats of commentaries. They are the same formats as those of texts, with other
 * names.
 */
export const commentaryDrivers = ['zCom', 'zCom4', 'RawCom', 'RawCom4'] as const;

/**
 * Returns the names of a testament's files: the block index, the verse index and the text. Raw
 * drivers have no block index.
 */
export function testamentFiles(driver: Driver, blockType: string, testament: 'ot' | 'nt'): string[] {
  if (driver.startsWith('Raw')) return [`${testament}.vss`, testament];
  const letter = { BOOK: 'b', CHAPTER: 'c', VERSE: 'v' }[blockType.toUpperCase()];
  if (!letter) throw importError(`BlockType ${blockType} is not supported; these are: BOOK, CHAPTER, VERSE`);
  return [`${testament}.${letter}zs`, `${testament}.${letter}zv`, `${testament}.${letter}zz`];
}
