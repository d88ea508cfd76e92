/** The maximum number of topics that one link may mean. */
const maxTopicsPerLink = 3;

/**
 * Removes case, spaces and punctuation from a topic's name, so that "FIRSTFRUITS" and "FIRST
 * FRUITS" compare equal.
 */
const foldLinkedName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Creates the function that returns the names of the topics that a link means. It tries, in this
 * order:
 * - the link's words with the words after the link ("WICKED" + ", PUNISHMENT OF"),
 * - the link's words alone,
 * - their singular or plural,
 * - the link's words as the first word of names: "JESUS" means "JESUS, THE CHRIST", and "MINISTERS"
 *   means "MINISTER, Christian" and "MINISTER, Civil".
 *
 * It returns [] if no topic fits, or more than `maxTopicsPerLink`.
 */
export function createTopicLinkResolver(names: readonly string[]) {
  const byName = new Map(names.map((name) => [foldLinkedName(name), name]));
  const byFirstWord = new Map<string, string[]>();
  for (const name of names) {
    const word = foldLinkedName(/^[^ ,(]+/.exec(name)?.[0] ?? '');
    byFirstWord.set(word, [...(byFirstWord.get(word) ?? []), name]);
  }
  return ({ name, fullName }: { readonly name: string; readonly fullName: string }): readonly string[] => {
    const candidates = [fullName, ...withSingularAndPlural(name)].map(foldLinkedName);
    const exact = candidates.flatMap((candidate) => byName.get(candidate) ?? [])[0];
    if (exact !== undefined) return [exact];
    const longer = candidates.map((candidate) => byFirstWord.get(candidate)).find((found) => found !== undefined) ?? [];
    return longer.length <= maxTopicsPerLink ? longer : [];
  };
}

/** Returns a name and its possible singular and plural forms. Some of these may not be words. */
const withSingularAndPlural = (name: string): string[] => [
  name,
  ...(name.endsWith('IES') ? [`${name.slice(0, -3)}Y`] : []),
  ...(name.endsWith('ES') ? [name.slice(0, -2)] : []),
  ...(name.endsWith('S') ? [name.slice(0, -1)] : []),
  `${name}S`,
  `${name}ES`,
  name.replace(/MAN$/, 'MEN'),
];
