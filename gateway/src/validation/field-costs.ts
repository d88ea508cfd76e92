import type { FieldCost } from '@lectern/site';
import type { DocumentNode } from 'graphql';
import { declaredOn } from '../supergraph/field-directives';

const directive = { specification: 'https://lectern.example/cost/', name: 'fieldCost' };

/** The prices that subgraphs declare, by `Type.field`, as composition has carried them into the supergraph. */
export const readFieldCosts = (supergraph: DocumentNode): ReadonlyMap<string, FieldCost> =>
  new Map(
    [...declaredOn(supergraph, directive)].map(([field, given]) => {
      const { base = 1, perItem = null, divide = 1, max = Number.MAX_SAFE_INTEGER } = given as Partial<FieldCost>;
      return [field, { base, perItem, divide, max }];
    }),
  );
