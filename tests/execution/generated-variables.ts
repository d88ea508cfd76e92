import type { RandomChoices } from '@lectern/testing';

/**
 * Declares variables of a generated operation: with a default, a value, both, or neither of them if
 * nullable.
 */
export function createGeneratedVariables({ random, chance }: RandomChoices) {
  const declared = new Map<string, string>();
  const values: Record<string, unknown> = {};
  return {
    /** The `variables` of the request. */
    values,
    /**
     * Declares a variable, unless the name is declared. If the variable has a default, this is
     * `value` if the request gives the variable no value, and `other` if the request may give it
     * `value`.
     */
    declare(name: string, { type, value, other }: { type: string; value: unknown; other: unknown }): void {
      if (declared.has(name)) return;
      const choice = random();
      // A nullable variable with a default may be used in a non-null position.
      if (choice < 0.4) declared.set(name, `${type.replace('!', '')} = ${JSON.stringify(value)}`);
      else declared.set(name, choice < 0.6 ? `${type} = ${JSON.stringify(other)}` : type);
      if (choice >= 0.4 && (type.endsWith('!') || chance(0.7))) values[name] = value;
    },
    /** The declarations as they follow the operation's name. */
    declarations: (): string =>
      declared.size === 0 ? '' : `(${[...declared].map(([name, type]) => `$${name}: ${type}`).join(', ')})`,
  };
}
