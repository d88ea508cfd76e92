import type { DocumentNode } from 'graphql';
import { declaredOn } from '../supergraph/declared';

/** What a field costs in place of the 1 that any field costs. See the directive's own description in a subgraph's schema. */
export interface Price {
  base: number;
  /** With these three: max(base, floor(clamp(that argument, 1, max) x cost of the selection / divide)). */
  perItem: string | null;
  divide: number;
  max: number;
}

const directive = { specification: 'https://lectern.example/cost/', name: 'price' };

/** The prices that subgraphs declare, by `Type.field`, as composition has carried them into the supergraph. */
export const pricesOf = (supergraph: DocumentNode): ReadonlyMap<string, Price> =>
  new Map([...declaredOn(supergraph, directive)].map(([field, given]) => {
    const { base = 1, perItem = null, divide = 1, max = Number.MAX_SAFE_INTEGER } = given as Partial<Price>;
    return [field, { base, perItem, divide, max }];
  }));
