import { errors } from '@lectern/errors';

/** The arguments of a paged field, as the client sent them. Null stands for an absent argument. */
export interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

export interface Page<Node> {
  readonly totalCount: number;
  /** The index of the page's first node in the whole list. */
  readonly start: number;
  readonly nodes: readonly Node[];
}

const defaultFirst = 20;
const maxFirst = 100;

/** Returns the index of a page's first node, and the maximum number of nodes. Throws `invalidCursor`. */
export function readPage({ first, after }: PageArguments): { start: number; limit: number } {
  const position = after ? parseCursor(after) : -1;
  if (position === null) throw errors.invalidCursor();
  return { start: position + 1, limit: clampFirst(first, defaultFirst, maxFirst) };
}

/** Returns the maximum number of items of a list: the argument `first`, limited to 1 to `max`, or else `usual`. */
export const clampFirst = (first: number | null | undefined, usual: number, max: number): number =>
  Math.min(Math.max(first ?? usual, 1), max);

export const connectionResolvers = {
  edges: <Node>({ nodes, start }: Page<Node>) =>
    nodes.map((node, index) => ({ cursor: writeCursor(start + index), node })),
  pageInfo: ({ nodes, start, totalCount }: Page<unknown>) => ({
    hasNextPage: start + nodes.length < totalCount && nodes.length > 0,
    hasPreviousPage: start > 0,
    startCursor: nodes.length === 0 ? null : writeCursor(start),
    endCursor: nodes.length === 0 ? null : writeCursor(start + nodes.length - 1),
  }),
};

const writeCursor = (position: number): string => Buffer.from(`t${position}`, 'latin1').toString('base64url');

/** Parses a cursor of `writeCursor`, with or without padding (`=`). Returns null for any other text. */
function parseCursor(cursor: string): number | null {
  if (cursor.length > 24) return null;
  const unpadded = cursor.replace(/={1,2}$/, '');
  const position = /^t(\d{1,6})$/.exec(Buffer.from(unpadded, 'base64url').toString('latin1'))?.[1];
  return position !== undefined && writeCursor(Number(position)) === unpadded ? Number(position) : null;
}
