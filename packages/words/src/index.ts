export type { Token } from './words';
export { foldWord, functionWords, hasStemmer, stemmerFor, tokenize, withoutTilde } from './words';
