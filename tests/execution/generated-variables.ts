import type { RandomChoices } from './random-choices';

/** The variables of one generated operation: known by their defaults, by values, by values in place of defaults, and some that may be null by nothing. */
export function createGeneratedVariables({ random, chance }: RandomChoices) {
  const declared = new Map<string, string>();
  const values: Record<string, unknown> = {};
  return {
    /** What is sent beside the document. */
    values,
    /** The first time for a name; later ones are the same variable. `other` is a default that a value takes the place of. */
    declare(name: string, { type, value, other }: { type: string; value: unknown; other: unknown }): void {
      if (declared.has(name)) return;
      const way = random();
      // With a default it may stand where no null may, though its type allows one.
      if (way < 0.4) declared.set(name, `${type.replace('!', '')} = ${JSON.stringify(value)}`);
      else declared.set(name, way < 0.6 ? `${type} = ${JSON.stringify(other)}` : type);
      if (way >= 0.4 && (type.endsWith('!') || chance(0.7))) values[name] = value;
    },
    /** As they stand behind the operation's name. */
    declarations: (): string =>
      declared.size === 0 ? '' : `(${[...declared].map(([name, type]) => `$${name}: ${type}`).join(', ')})`,
  };
}
