import { foldWord } from '@lectern/words';

/**
 * Folds a name to the form in which names are compared: case, accents, outer spaces and repeated
 * spaces do not matter.
 */
export const foldTopicName = (name: string): string => foldWord(name.trim().replace(/\s+/g, ' '));
