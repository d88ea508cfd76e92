import type { GraphQLNamedType, GraphQLObjectType, GraphQLSchema } from 'graphql';
import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isUnionType,
} from 'graphql';
import type { Html } from '../html';
import { html } from '../html';
import type { Page } from '../render-page';
import type { FieldCost } from './describe-field-cost';
import { createElementRenderer } from './render-elements';
import {
  renderDirectiveSection,
  renderRootSection,
  renderTypeSection,
  sortedRootFields,
} from './render-schema-sections';

/** A section of the page. */
interface Group {
  title: string;
  id: string;
  types: readonly GraphQLNamedType[];
}

/**
 * Documents every element of the schema. Each element has an id to which pages can link: `#Verse`,
 * `#Verse.text`, `#Query.search.limit`. `differences` names the subgraphs whose schema differs from
 * the one in `schema`, separated by commas.
 */
export function createReferencePage(
  schema: GraphQLSchema,
  fieldCosts: ReadonlyMap<string, FieldCost>,
  differences = '',
): Page {
  const elements = createElementRenderer(schema, fieldCosts);
  const groups = groupsOf(schema);
  return {
    title: 'Schema reference',
    styles: ['/assets/reference.css'],
    main: html`<h1>Schema reference</h1>
<p>This page is generated from the schema that is running now. The schema is also available as <a href="/schema.graphql">SDL</a> for tools. To try queries, open the <a href="/explorer">explorer</a>. A field costs 1 unless another cost is stated.</p>
${differences === '' ? null : html`<p class="error" role="status">The schema of these subgraphs differs at the moment from this page, because another version of them is deployed: ${differences}.</p>`}
<div class="reference">
${renderContents(schema, groups)}
<div class="elements">
${groups.map(
  ({ title, id, types }) => html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${types.map((type) => (isRoot(schema, type) ? renderRootSection(elements, type) : renderTypeSection(elements, type)))}</section>
`,
)}<section aria-labelledby="directives"><h2 id="directives">Directives</h2>
${schema.getDirectives().map((directive) => renderDirectiveSection(elements, directive))}</section>
</div>
</div>`,
  };
}

/**
 * Renders the table of contents: the fields of root types, every other type and every directive.
 */
function renderContents(schema: GraphQLSchema, groups: readonly Group[]): Html {
  const renderEntries = (type: GraphQLNamedType): Html[] =>
    isRoot(schema, type)
      ? sortedRootFields(type).map((field) => renderEntry(`${type.name}.${field.name}`, field.name))
      : [renderEntry(type.name, type.name)];
  return html`<nav class="contents" aria-label="Contents">
${groups.map(
  ({ title, id, types }) => html`<h2><a href="#${id}">${title}</a></h2><ul>${types.flatMap(renderEntries)}</ul>
`,
)}<h2><a href="#directives">Directives</a></h2><ul>${schema.getDirectives().map(({ name }) => renderEntry(`@${name}`, `@${name}`))}</ul>
</nav>`;
}

const renderEntry = (id: string, name: string): Html => html`<li><a href="#${id}">${name}</a></li>`;

const isRoot = (schema: GraphQLSchema, type: GraphQLNamedType): type is GraphQLObjectType =>
  isObjectType(type) && [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].includes(type);

/** Returns the sections of the page, without empty sections: root types first, scalars last. */
function groupsOf(schema: GraphQLSchema): Group[] {
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
  const rest = types.filter((type) => !isRoot(schema, type));
  const optional = (type: GraphQLNamedType | null | undefined) => (type ? [type] : []);
  return [
    { title: 'Queries', id: 'queries', types: optional(schema.getQueryType()) },
    { title: 'Mutations', id: 'mutations', types: optional(schema.getMutationType()) },
    { title: 'Subscriptions', id: 'subscriptions', types: optional(schema.getSubscriptionType()) },
    { title: 'Objects', id: 'objects', types: rest.filter(isObjectType) },
    { title: 'Interfaces', id: 'interfaces', types: rest.filter(isInterfaceType) },
    { title: 'Unions', id: 'unions', types: rest.filter(isUnionType) },
    { title: 'Enums', id: 'enums', types: rest.filter(isEnumType) },
    { title: 'Inputs', id: 'inputs', types: rest.filter(isInputObjectType) },
    { title: 'Scalars', id: 'scalars', types: rest.filter(isScalarType) },
  ].filter((group) => group.types.length > 0);
}
