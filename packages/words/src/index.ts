export { hasStemmer } from './stemmed-languages';
