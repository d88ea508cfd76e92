/**
 * Look-ups that are asked for in one turn of the event loop become one query. It is sent after the last of them was asked, so none is
 * answered with what was true before.
 */
export function createLookupBatcher<Row>(find: (digests: readonly Buffer[]) => Promise<ReadonlyMap<string, Row>>) {
  let batch: { digests: Buffer[]; found: Promise<ReadonlyMap<string, Row>> } | null = null;

  const openBatch = () => {
    const digests: Buffer[] = [];
    const sent = new Promise<void>((resolve) => void setImmediate(resolve)).then(() => {
      batch = null;
      return find(digests);
    });
    return { digests, found: sent };
  };

  /** Null when no row has this digest. */
  return async (digest: Buffer): Promise<Row | null> => {
    batch ??= openBatch();
    const { digests, found } = batch;
    digests.push(digest);
    return (await found).get(digest.toString('hex')) ?? null;
  };
}
