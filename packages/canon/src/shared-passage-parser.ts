import { createPassageParser, type PassageParser } from './passage-parser-wrapper';

let parser: PassageParser | undefined;

/**
 * Returns the parser that all functions of this package share. The first call creates it. The
 * parser is module-level state, which this repository otherwise avoids, because creating a parser
 * is slow. It is safe to share, because one call cannot change the result of another call.
 */
export const sharedParser = (): PassageParser => (parser ??= createPassageParser());

/**
 * Creates the parser and compiles its regular expressions, which takes half a second. A service
 * calls this function when it starts, so that its first clients do not wait.
 */
export function warmReferenceParser(): void {
  // V8 compiles a regular expression once for Latin-1 text and once for other text, so both kinds
  // of text are parsed.
  const texts = ['Juan 3,16', 'Иоанна 3,16', 'nothing', 'ничего', 'Juan 3,16 é'];
  // Each text is parsed twice, because V8 interprets a regular expression at its first use and
  // compiles it at the second.
  for (const text of [...texts, ...texts]) {
    sharedParser().read(text);
    sharedParser().isEnglish(text);
    sharedParser().isSpanish(text);
  }
}
