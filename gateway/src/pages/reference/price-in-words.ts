import type { Price } from '../../limits/prices';

/** What a field costs, for whoever plans a query. */
export function priceInWords({ base, perItem, divide, max }: Price): string {
  if (perItem === null) return `Costs ${base}, and what is selected in it.`;
  const bounds = max === Number.MAX_SAFE_INTEGER ? 'at least 1' : `1 to ${max}`;
  const share = divide === 1 ? '' : ` ÷ ${divide}, rounded down`;
  return `Costs \`${perItem}\` (${bounds}) × what is selected in it${share}; at least ${base}.`;
}
