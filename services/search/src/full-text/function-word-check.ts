import { synonymsOf } from './synonyms';

/** Creates a function that returns whether a folded word is a function word, or an old form of one: thou, unto. */
export function createFunctionWordCheck(functionWords: ReadonlySet<string>): (folded: string) => boolean {
  return (folded) => functionWords.has(folded) || synonymsOf(folded).some((other) => functionWords.has(other));
}
