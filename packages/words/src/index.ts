export type { Token } from './words';
export { foldWord, functionWords, hasStemmer, ordinaryWords, stemmerFor, tokenize, withoutTilde } from './words';
