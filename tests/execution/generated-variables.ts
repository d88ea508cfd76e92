import type { RandomChoices } from '@lectern/testing';

/**
 * Creates the collector of variables of a generated operation. A variable has a default, a value or
 * both; a nullable variable may have neither.
 */
export function createGeneratedVariables({ random, chance }: RandomChoices) {
  const declared = new Map<string, string>();
  const values: Record<string, unknown> = {};
  return {
    /** The `variables` of the request. */
    values,
    /**
     * Declares a variable, unless its name is already declared. In every case the variable has
     * `value`, unless it is nullable: either as the default, or from the request, with `other` as a
     * possible default.
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
