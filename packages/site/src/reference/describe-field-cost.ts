/** The cost that a subgraph declares for a field with `@fieldCost`. The default cost is 1. */
export interface FieldCost {
  /** The base cost. Without `perItem`, the field costs `base` plus the cost of its selection. */
  base: number;
  /**
   * The name of the argument that multiplies the cost, or null. With an argument, the field costs
   * max(base, floor(clamp(argument, 1, max) x cost of the selection / divide)).
   */
  perItem: string | null;
  divide: number;
  max: number;
}

/** States the cost in one sentence. Names of arguments are in backticks. */
export function describeFieldCost({ base, perItem, divide, max }: FieldCost): string {
  if (perItem === null) return `Costs ${base} plus the cost of its selection.`;
  const range = max === Number.MAX_SAFE_INTEGER ? 'at least 1' : `1 to ${max}`;
  const divisor = divide === 1 ? '' : ` ÷ ${divide}, rounded down`;
  return `Costs \`${perItem}\` (${range}) × the cost of its selection${divisor}; at least ${base}.`;
}
