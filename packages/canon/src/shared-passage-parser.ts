import { createPassageParser, type PassageParser } from './passage-parser';

let parser: PassageParser | undefined;

/**
 * Returns the parser of this process, which the first call creates. This is module-level state,
 * which this repository otherwise avoids: creating a parser is slow, and most functions of canon
 * need one. No caller can change its results.
 */
export const sharedParser = (): PassageParser => (parser ??= createPassageParser());

/**
 * Creates the parser and compiles its patterns, which takes half a second. A service calls this when it starts, so that
 * its first clients do not wait. V8 compiles the patterns of each language separately for Latin and for other text.
 */
export function warmReferenceParser(): void {
  const texts = ['Juan 3,16', 'Иоанна 3,16', 'nothing', 'ничего', 'Juan 3,16 é'];
  // Each text is parsed twice, because V8 interprets a pattern at its first use and compiles it at
  // the second.
  for (const text of [...texts, ...texts]) {
    sharedParser().read(text);
    sharedParser().isEnglish(text);
    sharedParser().isSpanish(text);
  }
}
