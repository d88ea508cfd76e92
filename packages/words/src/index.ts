export { foldWord, withoutTilde } from './fold-word';
export { functionWords } from './function-words';
export type { Token } from './tokenize';
export { tokenize } from './tokenize';
export { hasStemmer, stemmerFor } from './words';
