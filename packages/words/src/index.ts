export { foldWord, withoutTilde } from './fold-word';
export { functionWords } from './function-words';
export { hasStemmer, stemmerFor } from './stemmers';
export type { Token } from './tokenize';
export { tokenize } from './tokenize';
