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
import type { FieldCost } from './describe-field-cost';
import { describeFieldCost } from './describe-field-cost';
import { renderDescription, renderInlineCode } from './render-description';

/**
 * Creates functions that render elements of a schema: fields, arguments, input fields, types.
 * `fieldCosts` maps coordinates (`Query.search`) to costs.
 * Descriptions link to the types and fields of `schema`.
 */
export function createElementRenderer(schema: GraphQLSchema, fieldCosts: ReadonlyMap<string, FieldCost>) {
  const names = linkableNames(schema);
  const isName = (text: string) => names.has(text);

  const renderType = (type: GraphQLType): Html => {
    if (isNonNullType(type)) return html`${renderType(type.ofType)}!`;
    if (isListType(type)) return html`[${renderType(type.ofType)}]`;
    return html`<a href="#${type.name}">${type.name}</a>`;
  };

  const renderDefault = ({ type, defaultValue }: GraphQLArgument | GraphQLInputField): Html | null => {
    const value = defaultValue === undefined || !isInputType(type) ? null : astFromValue(defaultValue, type);
    return value ? html` = ${print(value)}` : null;
  };

  const renderDeprecation = (reason: string | null | undefined): Html | null =>
    reason === null || reason === undefined
      ? null
      : html`<p class="deprecated"><strong>Deprecated.</strong> ${renderInlineCode(reason, isName)}</p>`;

  /**
   * Renders the arguments of a field or directive, or the fields of an input type. `owner` is the
   * name of that field, directive or type, as the ids of the page have it: `Query.search`.
   */
  const renderInputs = (owner: string, list: readonly (GraphQLArgument | GraphQLInputField)[]): Html | null =>
    list.length === 0
      ? null
      : html`<dl class="inputs">
${list.map(
  (
    input,
  ) => html`<dt id="${owner}.${input.name}"><code><a class="name" href="#${owner}.${input.name}">${input.name}</a>: ${renderType(input.type)}${renderDefault(input)}</code></dt><dd>${renderDeprecation(input.deprecationReason)}${renderDescription(input.description, isName)}</dd>
`,
)}</dl>`;

  return {
    renderDescription: (text: string | null | undefined): Html => renderDescription(text, isName),
    renderDeprecation,
    renderInputs,

    /**
     * Renders a field. `heading` is h3 for a field of a root type, and h4 within the section of a
     * type.
     */
    renderField: (owner: GraphQLNamedType, field: GraphQLField<unknown, unknown>, heading: 'h3' | 'h4'): Html => {
      const id = `${owner.name}.${field.name}`;
      const cost = fieldCosts.get(id);
      const signature = html`<code><a class="name" href="#${id}">${field.name}</a>: ${renderType(field.type)}</code>`;
      return html`<div class="element" id="${id}">
${heading === 'h3' ? html`<h3>${signature}</h3>` : html`<h4>${signature}</h4>`}
${renderDeprecation(field.deprecationReason)}${renderDescription(field.description, isName)}
${cost ? html`<p class="cost">${renderInlineCode(describeFieldCost(cost), isName)}</p>` : null}${renderInputs(id, field.args)}
</div>
`;
    },

    /** Renders links to types, separated by commas. */
    renderTypeList: (types: readonly GraphQLNamedType[]): Html =>
      html`${types.map((type, index) => html`${index > 0 ? ', ' : null}<a href="#${type.name}">${type.name}</a>`)}`,
  };
}

export type ElementRenderer = ReturnType<typeof createElementRenderer>;

/** Returns the names of types and the coordinates of their fields (`Verse.text`). */
function linkableNames(schema: GraphQLSchema): ReadonlySet<string> {
  return new Set(
    Object.values(schema.getTypeMap()).flatMap((type) => [
      type.name,
      ...(isObjectType(type) || isInterfaceType(type)
        ? Object.keys(type.getFields()).map((field) => `${type.name}.${field}`)
        : []),
    ]),
  );
}
