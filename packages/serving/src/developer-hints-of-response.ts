/** Advice to the client about one field of a response. A hint is not an error. */
export interface Hint {
  /** The schema coordinate of the field: `Query.semanticSearch`. */
  readonly coordinate: string;
  /** Why the response is as it is, and what to do. */
  readonly message: string;
}

/** The maximum number of hints of a response. */
export const maxHints = 10;

/** Creates the list of the hints of one response. The list has no duplicates and at most `maxHints` hints. */
export function createHintList() {
  const hints: Hint[] = [];
  return {
    all: (): readonly Hint[] => hints,
    add({ coordinate, message }: Hint): void {
      const isKnown = hints.some((hint) => hint.coordinate === coordinate && hint.message === message);
      if (!isKnown && hints.length < maxHints) hints.push({ coordinate, message });
    },
  };
}
