export { type Commentary, type CommentaryNote, readCommentary } from './commentary';
export type { TextReference } from './notes';
export { type OutlinePart, readOutlines } from './outlines';
export {
  listOtherTopicNames,
  listTopicPhrases,
  type OtherTopicName,
  type TopicPhrase,
} from './phrases';
export type { UnresolvedReference } from './references';
export {
  createOsisReferenceParser,
  createVersesAndParser,
  type OsisReferenceParser,
  type VersesAndParser,
} from './references';
export { createStandardVerses, type StandardVerses, type VerseSpan } from './spans';
export {
  parseTopicId,
  readTopics,
  type Topic,
  type TopicalBible,
  type TopicEntry,
  type TopicSection,
  topicId,
} from './topics';
export { type CommentaryWork, commentaryWorks, type ReferenceWork, topicalBible } from './works';
