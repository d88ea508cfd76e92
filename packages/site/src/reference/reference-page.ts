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
import type { Page } from '../page';
import type { FieldCost } from './field-cost';
import { createElementRenderer } from './schema-elements';
import { renderDirectiveSection, renderRootSection, renderTypeSection, sortedRootFields } from './schema-sections';

interface Group {
  title: string;
  id: string;
  types: readonly GraphQLNamedType[];
}

/** Everything that the schema holds, under headings that can be linked to: `#Verse`, `#Verse.text`, `#Query.search.limit`. */
export function createReferencePage(schema: GraphQLSchema, prices: ReadonlyMap<string, FieldCost>): Page {
  const elements = createElementRenderer(schema, prices);
  const groups = groupsOf(schema);
  const directives = schema.getDirectives();
  return {
    title: 'Schema reference',
    styles: ['/assets/reference.css'],
    main: html`<h1>Schema reference</h1>
<p>Made of the schema that runs here now. For tools there is the same as <a href="/reference.graphql">SDL</a>; to try it, open the <a href="/explorer">explorer</a>. A field costs 1 unless its price is named.</p>
<div class="reference">
<nav class="contents" aria-label="Contents">
${groups.map(
  ({
    title,
    id,
    types,
  }) => html`<h2><a href="#${id}">${title}</a></h2><ul>${types.flatMap((type) => (isRoot(schema, type) ? sortedRootFields(type).map((field) => entry(`${type.name}.${field.name}`, field.name)) : [entry(type.name, type.name)]))}</ul>
`,
)}<h2><a href="#directives">Directives</a></h2><ul>${directives.map(({ name }) => entry(`@${name}`, `@${name}`))}</ul>
</nav>
<div class="elements">
${groups.map(
  ({ title, id, types }) => html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${types.map((type) => (isRoot(schema, type) ? renderRootSection(elements, type) : renderTypeSection(elements, type)))}</section>
`,
)}<section aria-labelledby="directives"><h2 id="directives">Directives</h2>
${directives.map((directive) => renderDirectiveSection(elements, directive))}</section>
</div>
</div>`,
  };
}

const entry = (id: string, name: string): Html => html`<li><a href="#${id}">${name}</a></li>`;

const isRoot = (schema: GraphQLSchema, type: GraphQLNamedType): type is GraphQLObjectType =>
  isObjectType(type) && [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].includes(type);

/** Roots first; what nobody asks by name comes last. */
function groupsOf(schema: GraphQLSchema): Group[] {
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
  const rest = types.filter((type) => !isRoot(schema, type));
  const root = (type: GraphQLNamedType | null | undefined) => (type ? [type] : []);
  return [
    { title: 'Queries', id: 'queries', types: root(schema.getQueryType()) },
    { title: 'Mutations', id: 'mutations', types: root(schema.getMutationType()) },
    { title: 'Subscriptions', id: 'subscriptions', types: root(schema.getSubscriptionType()) },
    { title: 'Objects', id: 'objects', types: rest.filter(isObjectType) },
    { title: 'Interfaces', id: 'interfaces', types: rest.filter(isInterfaceType) },
    { title: 'Unions', id: 'unions', types: rest.filter(isUnionType) },
    { title: 'Enums', id: 'enums', types: rest.filter(isEnumType) },
    { title: 'Inputs', id: 'inputs', types: rest.filter(isInputObjectType) },
    { title: 'Scalars', id: 'scalars', types: rest.filter(isScalarType) },
  ].filter((group) => group.types.length > 0);
}
