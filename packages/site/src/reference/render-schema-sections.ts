import type { GraphQLDirective, GraphQLNamedType, GraphQLObjectType } from 'graphql';
import { isEnumType, isInputObjectType, isInterfaceType, isObjectType, isScalarType, isUnionType } from 'graphql';
import type { Html } from '../html';
import { html } from '../html';
import type { ElementRenderer } from './render-elements';

/** Renders the fields of a root type (`Query`), sorted by name, each under its own heading. */
export const renderRootSection = (elements: ElementRenderer, type: GraphQLObjectType): Html =>
  html`<div id="${type.name}">${elements.renderDescription(type.description)}${sortedRootFields(type).map((field) => elements.renderField(type, field, 'h3'))}</div>`;

export const sortedRootFields = (type: GraphQLObjectType) =>
  Object.values(type.getFields()).sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** Renders a type that is not a root type, with its members in the order of the schema. */
export function renderTypeSection(elements: ElementRenderer, type: GraphQLNamedType): Html {
  return html`<section class="type" id="${type.name}" aria-labelledby="${type.name}-name">
<h3 id="${type.name}-name"><a class="name" href="#${type.name}">${type.name}</a></h3>
${elements.renderDescription(type.description)}${renderMembers(elements, type)}</section>
`;
}

function renderMembers(elements: ElementRenderer, type: GraphQLNamedType): Html | null {
  if (isObjectType(type) || isInterfaceType(type)) {
    const implemented = type.getInterfaces();
    return html`${implemented.length > 0 ? html`<p>Implements ${elements.renderTypeList(implemented)}.</p>` : null}${Object.values(type.getFields()).map((field) => elements.renderField(type, field, 'h4'))}`;
  }
  if (isUnionType(type)) return html`<p>One of ${elements.renderTypeList(type.getTypes())}.</p>`;
  if (isInputObjectType(type)) return elements.renderInputs(type.name, Object.values(type.getFields()));
  if (isScalarType(type))
    return type.specifiedByURL ? html`<p><a href="${type.specifiedByURL}">Specification</a></p>` : null;
  if (!isEnumType(type)) return null;
  return html`<dl class="inputs">
${type.getValues().map(
  ({
    name,
    description,
    deprecationReason,
  }) => html`<dt id="${type.name}.${name}"><code><a class="name" href="#${type.name}.${name}">${name}</a></code></dt><dd>${elements.renderDeprecation(deprecationReason)}${elements.renderDescription(description)}</dd>
`,
)}</dl>`;
}

export const renderDirectiveSection = (
  elements: ElementRenderer,
  { name, description, args, locations, isRepeatable }: GraphQLDirective,
): Html => html`<section class="type" id="@${name}" aria-labelledby="@${name}-name">
<h3 id="@${name}-name"><a class="name" href="#@${name}">@${name}</a></h3>
${elements.renderDescription(description)}<p class="quiet">On ${locations.join(', ')}${isRepeatable ? '; may be repeated' : null}.</p>
${elements.renderInputs(`@${name}`, args)}</section>
`;
