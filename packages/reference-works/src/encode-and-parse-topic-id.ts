/**
 * Returns the global id of a topic. The id is opaque to clients, and the same in every subgraph.
 */
export const topicId = (name: string): string => Buffer.from(`v1:topic:${name}`).toString('base64url');

/**
 * Returns the name of the topic with this id. Returns null for any text that `topicId` does not
 * produce.
 */
export function parseTopicId(id: string): string | null {
  const text = id.length <= 1_000 ? Buffer.from(id, 'base64url').toString() : '';
  const name = /^v1:topic:(.+)$/s.exec(text)?.[1] ?? '';
  return name !== '' && topicId(name) === id ? name : null;
}
