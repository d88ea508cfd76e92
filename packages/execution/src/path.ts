/** Where a value stands in an answer: the fields and positions that lead to it, from the last to the first. */
export interface Path {
  readonly prev: Path | undefined;
  readonly key: string | number;
  /** Of the type that has the field; none for a position in a list. */
  readonly typename: string | undefined;
}

/** From the first to the last. */
export function stepsOf(path: Path | undefined): (string | number)[] {
  const steps: (string | number)[] = [];
  for (let step = path; step !== undefined; step = step.prev) steps.push(step.key);
  return steps.reverse();
}
