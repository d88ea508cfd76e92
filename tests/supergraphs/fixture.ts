/** A subgraph: its schema, and resolvers over data in memory. */
export interface SubgraphFixture {
  typeDefs: string;
  resolvers: Record<string, unknown>;
}

/** A request with the right response, which follows from the GraphQL and Federation specifications. */
export interface SupergraphCase {
  /** What the case shows, unique in its supergraph. */
  name: string;
  query: string;
  variables?: Record<string, unknown>;
  /** The right `data`, its keys in the order of the response. Absent if the request must be rejected. */
  data?: unknown;
  /** The paths of the right errors, with dots between the steps: `items.0.name`. By default there are no errors. */
  errors?: readonly string[];
}

export interface SupergraphFixture {
  /** The kind of supergraph, as its file is named. */
  name: string;
  /** Creates the subgraphs by name. Each call creates its own data, which mutations change. */
  subgraphs: () => Record<string, SubgraphFixture>;
  cases: readonly SupergraphCase[];
}

const link = `extend schema @link(
  url: "https://specs.apollo.dev/federation/v2.9"
  import: ["@key", "@requires", "@provides", "@external", "@shareable", "@inaccessible", "@override", "@interfaceObject"]
)
`;

export const subgraph = (typeDefs: string, resolvers: Record<string, unknown> = {}): SubgraphFixture => ({
  typeDefs: link + typeDefs,
  resolvers,
});

type Row = Readonly<Record<string, unknown>>;

/** Adds the name of the type to rows, for unions and interfaces. */
export const rowsOf = (typeName: string, rows: readonly Row[]): Row[] =>
  rows.map((row) => ({ __typename: typeName, ...row }));

/**
 * Creates a `__resolveReference` that finds the row with the values of one of the `keys`. The row gets the fields of the
 * representation, such as required ones. A key with several fields has spaces between them.
 */
export const findBy =
  (rows: readonly Row[], ...keys: string[]) =>
  (representation: Row): Row | null => {
    const isEqual = (row: Row, field: string) => isContained(representation[field], row[field]);
    const sent = keys
      .map((key) => key.split(' '))
      .filter((fields) => fields.every((field) => (representation[field] ?? null) !== null));
    const found = rows.find((row) => sent.some((fields) => fields.every((field) => isEqual(row, field))));
    return found ? { ...found, ...representation, ...typeNameOf(found) } : null;
  };

const typeNameOf = ({ __typename }: Row): Row => (__typename === undefined ? {} : { __typename });

/** Whether all values of `part` are in `whole`. */
function isContained(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null) return part === whole;
  return Object.entries(part).every(
    ([name, value]) => name === '__typename' || isContained(value, (whole as Row | null)?.[name]),
  );
}

/** Returns a field of a representation that `@requires` names. Throws if the gateway has not sent it. */
export function required<Value>(representation: Row, field: string): Value {
  if (!(field in representation)) throw new Error(`the representation lacks ${field}`);
  return representation[field] as Value;
}

/** Throws, as a resolver of a field that the gateway must not read from this subgraph. */
export const neverRead = (): never => {
  throw new Error('this field must be read from another subgraph');
};
