export {
  commonBeginning,
  createTermFolding,
  functionWords,
  hasStemmer,
  ordinaryWords,
  stemmerFor,
  termsOfWord,
} from './stems';
export {
  foldWord,
  isHebrewOrGreek,
  isUnspaced,
  spellingTest,
  type Token,
  tokenize,
  withoutCantillation,
  withoutTilde,
} from './tokens';
