import type { Tool } from '../tool';
import { checkQuotation } from './check-quotation';
import { compareTranslations } from './compare-translations';
import { findCrossReferences } from './find-cross-references';
import { findReferences } from './find-references';
import { listTranslations } from './list-translations';
import { lookUpPassage } from './look-up-passage';
import { lookUpTopic } from './look-up-topic';
import { readOriginal } from './read-original';
import { searchBible } from './search-bible';
import { searchWords } from './search-words';
import { studyWord } from './study-word';

/** The tools in the order in which assistants list them. */
export const tools: readonly Tool[] = [
  lookUpPassage,
  searchBible,
  searchWords,
  checkQuotation,
  compareTranslations,
  studyWord,
  readOriginal,
  findCrossReferences,
  lookUpTopic,
  findReferences,
  listTranslations,
];
