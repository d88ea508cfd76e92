export { type Commentary, type CommentaryNote, readCommentary, readOutlines } from './read-commentary';
export { createVersesAndParser, type UnresolvedReference, type VersesAndParser } from './references';
export {
  createStandardVerses,
  formatSpan,
  referenceResolvers,
  type StandardVerses,
  type VerseSpan,
  versesInTranslation,
} from './spans';
export {
  listOtherTopicNames,
  listTopicPhrases,
  parseTopicId,
  readTopics,
  type Topic,
  type TopicalBible,
  type TopicEntry,
  type TopicPhrase,
  type TopicSection,
  topicId,
} from './topics';
export { commentaryWorks, topicalBible } from './works';
