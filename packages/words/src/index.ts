export { foldWord, withoutTilde } from './fold';
export { functionWords } from './function-words';
export { hasStemmer, stemmerOf } from './stems';
export type { Token } from './tokens';
export { tokens } from './tokens';
