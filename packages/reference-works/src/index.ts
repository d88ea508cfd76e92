export { parseTopicId, topicId } from './encode-and-parse-topic-id';
export { type CommentaryWork, commentaryWorks, type ReferenceWork, topicalBible } from './known-reference-works';
export {
  listOtherTopicNames,
  listTopicPhrases,
  type OtherTopicName,
  type TopicPhrase,
} from './list-topic-phrases-with-verses';
export { createOsisReferenceParser, type OsisReferenceParser } from './parse-osis-reference';
export { type OutlinePart, readOutlines } from './read-chapter-outlines';
export { type Commentary, type CommentaryNote, readCommentary } from './read-commentary';
export type { TextReference } from './read-note-markup';
export { readTopics, type Topic, type TopicalBible, type TopicEntry, type TopicSection } from './read-topics';
export { createStandardVerses, type StandardVerses, type VerseSpan } from './standard-verse-spans';
export { createVersesAndParser, type VersesAndParser } from './standard-verses-and-osis-parser';
export type { UnresolvedReference } from './unresolvable-reference-type';
