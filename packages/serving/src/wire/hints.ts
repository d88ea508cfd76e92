/** Advice to the client about one field of a response. A hint is not an error. */
export interface Hint {
  /** The schema coordinate of the field, such as `Query.semanticSearch`. */
  readonly coordinate: string;
  /** Explains why the response is as it is, and what the client can change. */
  readonly message: string;
}

export const maxHints = 10;

/** Creates the list of hints of one response. It holds at most `maxHints` hints, without duplicates. */
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
