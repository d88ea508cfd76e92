/**
 * Joins the lookups of one turn of the event loop into one query.
 * The query is sent after the last of these lookups began, so that no lookup sees an older state.
 * Returns the lookup function; its result is null if no row has the digest.
 */
export function createLookupBatcher<Row>(findAll: (digests: readonly Buffer[]) => Promise<ReadonlyMap<string, Row>>) {
  let batch: { digests: Buffer[]; rows: Promise<ReadonlyMap<string, Row>> } | null = null;

  const openBatch = () => {
    const digests: Buffer[] = [];
    const rows = new Promise<void>((resolve) => void setImmediate(resolve)).then(() => {
      batch = null;
      return findAll(digests);
    });
    return { digests, rows };
  };

  return async (digest: Buffer): Promise<Row | null> => {
    batch ??= openBatch();
    const { digests, rows } = batch;
    digests.push(digest);
    return (await rows).get(digest.toString('hex')) ?? null;
  };
}
