import type {
  GraphQLArgument,
  GraphQLDirective,
  GraphQLField,
  GraphQLInputField,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLType,
} from 'graphql';
import {
  astFromValue,
  isEnumType,
  isInputObjectType,
  isInputType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isUnionType,
  print,
  printSchema,
} from 'graphql';
import type { Html } from './html';
import { html } from './html';
import type { Page, Route } from './page';
import { contentSecurityPolicy, createGetRoute, renderPage } from './page';
import type { StaticContent } from './static';
import { createStaticContent, sendStaticContent } from './static';

/** The cost that a subgraph declares for a field with `@fieldCost`. The default cost is 1. */
export interface FieldCost {
  /** The base cost. Without `perItem`, the field costs `base` plus the cost of its selection. */
  base: number;
  /**
   * The name of the argument that multiplies the cost, or null. With an argument, the field costs
   * max(base, floor(clamp(argument, 1, max) x cost of the selection / divide)).
   */
  perItem: string | null;
  divide: number;
  max: number;
}

/** States the cost in one sentence. Names of arguments are in backticks. */
function describeFieldCost({ base, perItem, divide, max }: FieldCost): string {
  if (perItem === null) return `Costs ${base} plus the cost of its selection.`;
  const range = max === Number.MAX_SAFE_INTEGER ? 'at least 1' : `1 to ${max}`;
  const divisor = divide === 1 ? '' : ` ÷ ${divide}, rounded down`;
  return `Costs \`${perItem}\` (${range}) × the cost of its selection${divisor}; at least ${base}.`;
}

/**
 * Renders a schema description. Of Markdown, it supports paragraphs and inline code only.
 * Inline code that `isName` accepts, such as `Verse.text`, becomes a link to that element.
 */
function renderDescription(description: string | null | undefined, isName: (text: string) => boolean): Html {
  const paragraphs = (description ?? '')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
  return html`${paragraphs.map((paragraph) => html`<p>${renderInlineCode(paragraph, isName)}</p>`)}`;
}

/** Renders text between backticks as code. A backtick without a closing backtick stays as it is. */
export function renderInlineCode(text: string, isName: (text: string) => boolean): readonly Html[] {
  // The parts with odd indexes are the texts between backticks.
  const parts = text.split('`');
  return parts.map((part, index) => {
    if (index % 2 === 0) return html`${part}`;
    if (index === parts.length - 1) return html`\`${part}`;
    return isName(part) ? html`<a href="#${part}"><code>${part}</code></a>` : html`<code>${part}</code>`;
  });
}

/**
 * Creates functions that render elements of a schema: fields, arguments, input fields, types.
 * `fieldCosts` maps coordinates (`Query.search`) to costs.
 * Descriptions link to the types and fields of `schema`.
 */
function createElementRenderer(schema: GraphQLSchema, fieldCosts: ReadonlyMap<string, FieldCost>) {
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

type ElementRenderer = ReturnType<typeof createElementRenderer>;

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

/** Renders the fields of a root type (`Query`), sorted by name, each under its own heading. */
const renderRootSection = (elements: ElementRenderer, type: GraphQLObjectType): Html =>
  html`<div id="${type.name}">${elements.renderDescription(type.description)}${sortedRootFields(type).map((field) => elements.renderField(type, field, 'h3'))}</div>`;

const sortedRootFields = (type: GraphQLObjectType) =>
  Object.values(type.getFields()).sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** Renders a type that is not a root type, with its members in the order of the schema. */
function renderTypeSection(elements: ElementRenderer, type: GraphQLNamedType): Html {
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

const renderDirectiveSection = (
  elements: ElementRenderer,
  { name, description, args, locations, isRepeatable }: GraphQLDirective,
): Html => html`<section class="type" id="@${name}" aria-labelledby="@${name}-name">
<h3 id="@${name}-name"><a class="name" href="#@${name}">@${name}</a></h3>
${elements.renderDescription(description)}<p class="quiet">On ${locations.join(', ')}${isRepeatable ? '; may be repeated' : null}.</p>
${elements.renderInputs(`@${name}`, args)}</section>
`;

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
function createReferencePage(
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

interface ReferenceOptions {
  schema: () => GraphQLSchema;
  /** Returns the costs of fields by coordinate (`Query.search`). */
  fieldCosts: () => ReadonlyMap<string, FieldCost>;
  /** Returns the names of subgraphs whose deployed schema differs from that in `schema`. */
  schemaDifferences: () => readonly string[];
}

interface RenderedReference {
  readonly page: StaticContent;
  readonly sdl: StaticContent;
}

/**
 * The headers of the reference. Browsers revalidate at each request, so that readers see a new
 * schema at once.
 */
const headers = { 'cache-control': 'no-cache', 'content-security-policy': contentSecurityPolicy() };

/**
 * The routes `/reference` (HTML) and `/schema.graphql` (SDL) for the current schema. Both are
 * rendered again only if the schema or the list of differing subgraphs changes.
 */
export function createReferenceRoutes({ schema, fieldCosts, schemaDifferences }: ReferenceOptions): Route[] {
  let latest: { schema: GraphQLSchema; differences: string; rendered: RenderedReference } | null = null;

  const rendered = (): RenderedReference => {
    const current = schema();
    const differences = schemaDifferences().join(', ');
    if (latest?.schema !== current || latest.differences !== differences)
      latest = { schema: current, differences, rendered: render(current, fieldCosts(), differences) };
    return latest.rendered;
  };

  return [
    createGetRoute('/reference', (request, response) => sendStaticContent(request, response, rendered().page)),
    createGetRoute('/schema.graphql', (request, response) => sendStaticContent(request, response, rendered().sdl)),
  ];
}

const render = (
  schema: GraphQLSchema,
  fieldCosts: ReadonlyMap<string, FieldCost>,
  differences: string,
): RenderedReference => ({
  page: createStaticContent({
    plain: Buffer.from(renderPage(createReferencePage(schema, fieldCosts, differences))),
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
  }),
  sdl: createStaticContent({
    plain: Buffer.from(`${printSchema(schema)}\n`),
    headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
  }),
});
