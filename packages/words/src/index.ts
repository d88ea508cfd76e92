export type { Token } from './words';
export {
  foldWord,
  functionWords,
  hasStemmer,
  isUnspaced,
  ordinaryWords,
  stemmerFor,
  tokenize,
  withoutTilde,
} from './words';
