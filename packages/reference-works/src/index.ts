export { createOsisReferenceParser, type OsisReferenceParser } from './parse-osis-reference';
export { type Commentary, type CommentaryNote, readCommentary } from './read-commentary';
export type { TextReference } from './read-note-markup';
export { readTopics, type Topic, type TopicalBible, type TopicEntry, type TopicSection } from './read-topics';
export { createReadingTools, type ReadingTools } from './reading-tools';
export { createStandardVerses, type StandardVerses, type VerseSpan } from './standard-verses';
export { parseTopicId, topicId } from './topic-id';
export type { UnresolvedReference } from './unresolved-reference';
export { type CommentaryWork, commentaryWorks, type ReferenceWork, topicalBible } from './works';
