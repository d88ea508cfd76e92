import { synonymsOf } from './synonyms';

/**
 * Creates a function that returns whether a word, without case and accents, is a function word
 * (such as `you` and `to`) or an old form of a function word (`thou`, `unto`).
 */
export function createFunctionWordCheck(functionWords: ReadonlySet<string>): (folded: string) => boolean {
  return (folded) => functionWords.has(folded) || synonymsOf(folded).some((other) => functionWords.has(other));
}
