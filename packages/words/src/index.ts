export type { Token } from './words';
export {
  foldWord,
  functionWords,
  hasStemmer,
  isHebrewOrGreek,
  isUnspaced,
  ordinaryWords,
  spellingTest,
  stemmerFor,
  tokenize,
  withoutCantillation,
  withoutTilde,
} from './words';
