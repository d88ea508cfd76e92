import type {
  GraphQLArgument,
  GraphQLField,
  GraphQLInputField,
  GraphQLNamedType,
  GraphQLSchema,
  GraphQLType,
} from 'graphql';
import { astFromValue, isInputType, isInterfaceType, isListType, isNonNullType, isObjectType, print } from 'graphql';
import type { Html } from '../html';
import { html } from '../html';
import type { FieldCost } from './field-cost';
import { describeFieldCost } from './field-cost';
import { renderDescription, renderInlineCode } from './render-description';

/** What the sections of the reference are made of. The names that can be linked to and the prices are all it knows of the schema. */
export function createElementRenderer(schema: GraphQLSchema, prices: ReadonlyMap<string, FieldCost>) {
  const names = namesOf(schema);
  const isName = (text: string) => names.has(text);

  const typeReference = (type: GraphQLType): Html => {
    if (isNonNullType(type)) return html`${typeReference(type.ofType)}!`;
    if (isListType(type)) return html`[${typeReference(type.ofType)}]`;
    return html`<a href="#${type.name}">${type.name}</a>`;
  };

  const defaultOf = ({ type, defaultValue }: GraphQLArgument | GraphQLInputField): Html | null => {
    const value = defaultValue === undefined || !isInputType(type) ? null : astFromValue(defaultValue, type);
    return value ? html` = ${print(value)}` : null;
  };

  const deprecation = (reason: string | null | undefined): Html | null =>
    reason === null || reason === undefined
      ? null
      : html`<p class="deprecated"><strong>Deprecated.</strong> ${renderInlineCode(reason, isName)}</p>`;

  const inputs = (owner: string, list: readonly (GraphQLArgument | GraphQLInputField)[]): Html | null =>
    list.length === 0
      ? null
      : html`<dl class="inputs">
${list.map(
  (
    input,
  ) => html`<dt id="${owner}.${input.name}"><code><a class="name" href="#${owner}.${input.name}">${input.name}</a>: ${typeReference(input.type)}${defaultOf(input)}</code></dt><dd>${deprecation(input.deprecationReason)}${renderDescription(input.description, isName)}</dd>
`,
)}</dl>`;

  return {
    description: (text: string | null | undefined): Html => renderDescription(text, isName),
    deprecation,
    inputs,

    /** `heading` is h3 where the field stands for itself, as queries do, and h4 within a type. */
    field: (owner: GraphQLNamedType, field: GraphQLField<unknown, unknown>, heading: 'h3' | 'h4'): Html => {
      const id = `${owner.name}.${field.name}`;
      const price = prices.get(id);
      const signature = html`<code><a class="name" href="#${id}">${field.name}</a>: ${typeReference(field.type)}</code>`;
      return html`<div class="element" id="${id}">
${heading === 'h3' ? html`<h3>${signature}</h3>` : html`<h4>${signature}</h4>`}
${deprecation(field.deprecationReason)}${renderDescription(field.description, isName)}
${price ? html`<p class="price">${renderInlineCode(describeFieldCost(price), isName)}</p>` : null}${inputs(id, field.args)}
</div>
`;
    },

    /** Links to types, with commas between. */
    list: (types: readonly GraphQLNamedType[]): Html =>
      html`${types.map((type, at) => html`${at > 0 ? ', ' : null}<a href="#${type.name}">${type.name}</a>`)}`,
  };
}

export type ElementRenderer = ReturnType<typeof createElementRenderer>;

function namesOf(schema: GraphQLSchema): ReadonlySet<string> {
  return new Set(
    Object.values(schema.getTypeMap()).flatMap((type) => [
      type.name,
      ...(isObjectType(type) || isInterfaceType(type)
        ? Object.keys(type.getFields()).map((field) => `${type.name}.${field}`)
        : []),
    ]),
  );
}
