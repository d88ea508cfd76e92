import type { Route } from '@lectern/serving';
import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLDirective,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
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
import { createGetRoute, type Html, html, renderPage, sendNotFoundPage } from './page';
import { anyOrigin, createStaticPage, type StaticContent, sendStaticContent } from './static';

/** Renders text with code between backticks, linked if `isName` returns true. A single backtick stays. */
export function renderInlineCode(text: string, isName: (text: string) => boolean): readonly Html[] {
  // The parts with odd indexes are the texts between backticks.
  const parts = text.split('`');
  return parts.map((part, index) => {
    if (index % 2 === 0) return html`${part}`;
    if (index === parts.length - 1) return html`\`${part}`;
    return isName(part) ? html`<a href="${hrefOf(part)}"><code>${part}</code></a>` : html`<code>${part}</code>`;
  });
}

/** Returns the address of a type, or of a field such as `Verse.text` on the page of its type. */
const hrefOf = (name: string): string =>
  `/reference/${name.split('.', 1)[0] ?? ''}${name.includes('.') ? `#${name}` : ''}`;

/** Returns the names of types and the coordinates of their fields (`Verse.text`). */
const linkableNames = (schema: GraphQLSchema): ReadonlySet<string> =>
  new Set(
    Object.values(schema.getTypeMap()).flatMap((type) => {
      const fields = isObjectType(type) || isInterfaceType(type) ? Object.keys(type.getFields()) : [];
      return [type.name, ...fields.map((field) => `${type.name}.${field}`)];
    }),
  );

/** Creates the functions that render elements of a schema. Their descriptions contain links to other elements. */
function createElementRenderer(schema: GraphQLSchema, describeCost: DescribeCost) {
  const names = linkableNames(schema);
  const renderCode = (text: string) => renderInlineCode(text, (name) => names.has(name));

  /** Renders a description. Only two features of Markdown are supported: paragraphs and inline code. */
  const renderDescription = (text: string | null | undefined): Html[] =>
    (text ?? '')
      .split(/\n\s*\n/)
      .map((paragraph) => paragraph.trim())
      .filter((paragraph) => paragraph !== '')
      .map((paragraph) => html`<p>${renderCode(paragraph)}</p>`);

  const renderType = (type: GraphQLType): Html => {
    if (isNonNullType(type)) return html`${renderType(type.ofType)}!`;
    if (isListType(type)) return html`[${renderType(type.ofType)}]`;
    return html`<a href="${hrefOf(type.name)}">${type.name}</a>`;
  };

  const renderDefault = ({ type, defaultValue }: GraphQLArgument | GraphQLInputField) => {
    const value = defaultValue === undefined || !isInputType(type) ? null : astFromValue(defaultValue, type);
    return value && html` = ${print(value)}`;
  };

  const renderDeprecation = (reason: string | null | undefined): Html | null =>
    reason === null || reason === undefined
      ? null
      : html`<p class="deprecated"><strong>Deprecated.</strong> ${renderCode(reason)}</p>`;

  /** Renders an item of a list of inputs or enum values. `detail` follows the name. */
  const renderItem = (
    owner: string,
    { name, description, deprecationReason }: Pick<GraphQLInputField, 'name' | 'description' | 'deprecationReason'>,
    detail?: Html,
  ): Html =>
    html`<dt id="${owner}.${name}"><code><a class="name" href="#${owner}.${name}">${name}</a>${detail}</code></dt><dd>${renderDeprecation(deprecationReason)}${renderDescription(description)}</dd>\n`;

  /** `owner` is the id of their field, directive or type on the page, such as `Query.search`. */
  const renderInputs = (owner: string, list: readonly (GraphQLArgument | GraphQLInputField)[]): Html | null =>
    list.length === 0
      ? null
      : html`<dl class="inputs">
${list.map((input) => renderItem(owner, input, html`: ${renderType(input.type)}${renderDefault(input)}`))}</dl>`;

  const renderField = (owner: string, field: GraphQLField<unknown, unknown>): Html => {
    const id = `${owner}.${field.name}`;
    const cost = describeCost(id);
    const signature = html`<code><a class="name" href="#${id}">${field.name}</a>: ${renderType(field.type)}</code>`;
    return html`<div class="element" id="${id}">
<h2>${signature}</h2>
${renderDeprecation(field.deprecationReason)}${renderDescription(field.description)}
${cost !== null && html`<p class="cost">${renderCode(cost)}</p>`}${renderInputs(id, field.args)}
</div>\n`;
  };

  const renderTypeList = (types: readonly GraphQLNamedType[]): Html[] =>
    types.map(({ name }, index) => html`${index > 0 && ', '}<a href="${hrefOf(name)}">${name}</a>`);

  const renderMembers = (type: GraphQLNamedType): Html | null => {
    if (isObjectType(type) || isInterfaceType(type)) {
      const implemented = type.getInterfaces();
      return html`${implemented.length > 0 && html`<p>Implements ${renderTypeList(implemented)}.</p>`}${Object.values(type.getFields()).map((field) => renderField(type.name, field))}`;
    }
    if (isUnionType(type)) return html`<p>One of ${renderTypeList(type.getTypes())}.</p>`;
    if (isInputObjectType(type)) return renderInputs(type.name, Object.values(type.getFields()));
    if (isEnumType(type))
      return html`<dl class="inputs">\n${type.getValues().map((value) => renderItem(type.name, value))}</dl>`;
    const url = isScalarType(type) && type.specifiedByURL;
    return url ? html`<p><a href="${url}">Specification</a></p>` : null;
  };

  const renderSection = (id: string, content: Html): Html => html`<div id="${id}">${content}</div>\n`;

  return {
    /** Renders a type. The fields of a root type are sorted by name. The members of other types keep their order. */
    renderType: (type: GraphQLNamedType): Html =>
      isRoot(schema, type)
        ? html`<div id="${type.name}">${renderDescription(type.description)}${sortedFields(type).map((field) => renderField(type.name, field))}</div>`
        : renderSection(type.name, html`${renderDescription(type.description)}${renderMembers(type)}`),

    renderDirective: ({ name, description, args, locations, isRepeatable }: GraphQLDirective): Html =>
      renderSection(
        `@${name}`,
        html`${renderDescription(description)}<p class="quiet">On ${locations.join(', ')}${isRepeatable && '; may be repeated'}.</p>
${renderInputs(`@${name}`, args)}`,
      ),
  };
}

const isRoot = (schema: GraphQLSchema, type: GraphQLNamedType): type is GraphQLObjectType =>
  isObjectType(type) && [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].includes(type);

const sortedFields = (type: GraphQLObjectType) =>
  Object.values(type.getFields()).sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** Returns the sections of the page, without empty sections: root types first, scalars last. */
function sectionsOf(schema: GraphQLSchema) {
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
  const rest = types.filter((type) => !isRoot(schema, type));
  const root = (type: GraphQLNamedType | null | undefined): GraphQLNamedType[] => (type ? [type] : []);
  return [
    { title: 'Queries', types: root(schema.getQueryType()) },
    { title: 'Mutations', types: root(schema.getMutationType()) },
    { title: 'Subscriptions', types: root(schema.getSubscriptionType()) },
    { title: 'Objects', types: rest.filter(isObjectType) },
    { title: 'Interfaces', types: rest.filter(isInterfaceType) },
    { title: 'Unions', types: rest.filter(isUnionType) },
    { title: 'Enums', types: rest.filter(isEnumType) },
    { title: 'Inputs', types: rest.filter(isInputObjectType) },
    { title: 'Scalars', types: rest.filter(isScalarType) },
  ]
    .filter((section) => section.types.length > 0)
    .map((section) => ({ ...section, id: section.title.toLowerCase() }));
}

/** Links to root fields, all other types and directives. reference.js searches `data-names`, with their fields. */
function renderContents(schema: GraphQLSchema, sections: ReturnType<typeof sectionsOf>): Html {
  const renderEntry = (id: string, name: string, fields: readonly string[] = []): Html =>
    html`<li data-names="${[name, ...fields].join(' ')}"><a href="${hrefOf(id)}">${name}</a></li>`;
  const renderEntries = (type: GraphQLNamedType): Html[] => {
    if (isRoot(schema, type)) return sortedFields(type).map(({ name }) => renderEntry(`${type.name}.${name}`, name));
    const fields = isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? type.getFields() : {};
    return [renderEntry(type.name, type.name, Object.keys(fields))];
  };
  return html`<nav class="contents" aria-label="Contents">
${sections.map(({ title, id, types }) => html`<section><h2 id="${id}">${title}</h2><ul>${types.flatMap(renderEntries)}</ul></section>\n`)}<section><h2 id="directives">Directives</h2><ul>${schema.getDirectives().map(({ name }) => renderEntry(`@${name}`, `@${name}`))}</ul></section>
</nav>`;
}

/** Renders the page `/reference`, which lists all elements, and a page for each type and directive, by path. */
function renderReference(schema: GraphQLSchema, describeCost: DescribeCost): ReadonlyMap<string, () => string> {
  const { renderType, renderDirective } = createElementRenderer(schema, describeCost);
  const sections = sectionsOf(schema);
  const styles = ['/assets/reference.css'];
  const index = () =>
    renderPage({
      title: 'Schema reference',
      styles,
      scripts: ['/assets/reference.js'],
      main: html`<h1>Schema reference</h1>
<p>These pages are generated from the schema that is running now. The schema is also available as <a href="/schema.graphql">SDL</a> for tools. To try queries, open the <a href="/explorer">explorer</a>.</p>
<div class="reference">
${renderContents(schema, sections)}
</div>`,
    });
  const renderElement = (name: string, content: Html): string =>
    renderPage({
      title: name,
      styles,
      main: html`<p><a href="/reference">Schema reference</a></p>
<h1>${name}</h1>
<p class="quiet">A field costs 1 unless another cost is stated.</p>
<div class="reference">${content}</div>`,
    });
  return new Map([
    ['/reference', index] as const,
    ...sections.flatMap(({ types }) =>
      types.map((type) => [hrefOf(type.name), () => renderElement(type.name, renderType(type))] as const),
    ),
    ...schema.getDirectives().map((directive) => {
      const name = `@${directive.name}`;
      return [hrefOf(name), () => renderElement(name, renderDirective(directive))] as const;
    }),
  ]);
}

/** Returns the cost of a field such as `Query.search` in sentences, with names in backticks, or null if it is 1. */
type DescribeCost = (coordinate: string) => string | null;

export interface ReferenceOptions {
  /** Returns the public schema. Called at each request. */
  schema: () => GraphQLSchema;
  describeCost: DescribeCost;
}

/** Creates the routes that serve the schema as HTML and as SDL. Both are rendered again if the schema changes. */
export function createReferenceRoutes({ schema, describeCost }: ReferenceOptions): Route[] {
  let latest: { schema: GraphQLSchema; texts: ReadonlyMap<string, () => string>; sdl: StaticContent } | null = null;
  const pages = new Map<string, StaticContent>();

  const rendered = () => {
    const current = schema();
    if (latest?.schema !== current) {
      const sdl = createStaticPage(`${printSchema(current)}\n`, 'text/plain', anyOrigin);
      latest = { schema: current, texts: renderReference(current, describeCost), sdl };
      pages.clear();
    }
    return latest;
  };

  const sendElement: Route['handle'] = (request, response, path) => {
    const text = rendered().texts.get(path);
    if (!text) return sendNotFoundPage(response);
    const page = pages.get(path) ?? createStaticPage(text(), 'text/html');
    pages.set(path, page);
    return sendStaticContent(request, response, page);
  };

  return [
    createGetRoute('/reference', sendElement),
    createGetRoute('/reference/', sendElement),
    createGetRoute('/schema.graphql', (request, response) => sendStaticContent(request, response, rendered().sdl)),
  ];
}
