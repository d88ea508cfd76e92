import { createPassageParser, type PassageParser } from './passage-parser';

let parser: PassageParser | undefined;

/**
 * The one parser of the process, made when it is first needed. The module holds it, against our habit, because it costs about
 * 150 ms to make and every function that reads names needs it; nothing a caller can do changes what it answers.
 */
export const sharedParser = (): PassageParser => (parser ??= createPassageParser());

/**
 * Makes the parser and has it read once what would otherwise be slow for the first client (half a second in all): V8 compiles the patterns
 * of each language at their first uses, for Latin text and for any other. For a service to call when it starts.
 */
export function warmReferenceParser(): void {
  const texts = ['Juan 3,16', 'Иоанна 3,16', 'nothing', 'ничего', 'Juan 3,16 é'];
  // Twice: V8 interprets a pattern the first time and compiles it the second.
  for (const text of [...texts, ...texts]) {
    sharedParser().read(text);
    sharedParser().isEnglish(text);
    sharedParser().isSpanish(text);
  }
}
