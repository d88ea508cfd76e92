/** The cost of a field that a subgraph declares in place of the default cost of 1. The directive @fieldCost in a subgraph's schema describes the members. */
export interface FieldCost {
  base: number;
  /** With the two members below: max(base, floor(clamp(argument `perItem`, 1, max) x cost of the selection / divide)). */
  perItem: string | null;
  divide: number;
  max: number;
}

/** What a field costs, for whoever plans a query. */
export function describeFieldCost({ base, perItem, divide, max }: FieldCost): string {
  if (perItem === null) return `Costs ${base}, and what is selected in it.`;
  const bounds = max === Number.MAX_SAFE_INTEGER ? 'at least 1' : `1 to ${max}`;
  const share = divide === 1 ? '' : ` ÷ ${divide}, rounded down`;
  return `Costs \`${perItem}\` (${bounds}) × what is selected in it${share}; at least ${base}.`;
}
