import { Kind, parse, valueFromASTUntyped } from 'graphql';
import type { ConstDirectiveNode, DocumentNode } from 'graphql';

/** What a field costs in place of the 1 that any field costs. See the directive's own description in a subgraph's schema. */
export interface Price {
  base: number;
  /** With these three: max(base, floor(clamp(that argument, 1, max) x cost of the selection / divide)). */
  perItem: string | null;
  divide: number;
  max: number;
}

const specification = 'https://lectern.example/cost/';

/** The prices that subgraphs declare, by `Type.field`, as composition has carried them into the supergraph. */
export function pricesOf(supergraphSdl: string): ReadonlyMap<string, Price> {
  const document = parse(supergraphSdl, { noLocation: true });
  const name = directiveName(document);
  const prices = new Map<string, Price>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
    for (const field of definition.fields ?? []) {
      const directive = field.directives?.find((each) => each.name.value === name);
      if (directive) prices.set(`${definition.name.value}.${field.name.value}`, priceOf(directive));
    }
  }
  return prices;
}

/** Subgraphs may import the directive under another name; the supergraph then carries that one. */
function directiveName(document: DocumentNode): string {
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.SCHEMA_DEFINITION) continue;
    for (const link of definition.directives ?? []) {
      const { url, import: imported } = argumentsOf(link) as { url?: string; import?: (string | { name: string; as?: string })[] };
      if (url?.startsWith(specification) !== true) continue;
      for (const each of imported ?? []) {
        if (each === '@price') return 'price';
        if (typeof each === 'object' && each.name === '@price') return (each.as ?? each.name).slice(1);
      }
    }
  }
  return 'price';
}

function priceOf(directive: ConstDirectiveNode): Price {
  const { base = 1, perItem = null, divide = 1, max = Number.MAX_SAFE_INTEGER } = argumentsOf(directive) as Partial<Price>;
  return { base, perItem, divide, max };
}

const argumentsOf = (directive: ConstDirectiveNode): Record<string, unknown> =>
  Object.fromEntries((directive.arguments ?? []).map((argument) => [argument.name.value, valueFromASTUntyped(argument.value)]));
