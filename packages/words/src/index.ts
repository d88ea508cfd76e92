export { foldWord, withoutTilde } from './fold';
export { functionWords } from './function-words';
export { hasStemmer, stemmerOf } from './stems';
export { tokens } from './tokens';
export type { Token } from './tokens';
