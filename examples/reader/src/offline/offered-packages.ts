import { documentText, type LecternClient } from '@lectern/client';
import type { OfferedPackage } from './package-store';
import { maxSchemaVersion } from './schema-version';

interface OfferedPackagesQuery {
  readonly translations: readonly {
    readonly identifier: string;
    readonly offlinePackage: OfferedPackage | null;
  }[];
}

/** Asks for the packages of all translations in one request. `offlinePackage` of @lectern/client asks for one. */
const offeredPackagesDocument = documentText<
  OfferedPackagesQuery,
  { schemaVersion: number }
>(`query OfferedPackages($schemaVersion: Int!) {
  translations {
    identifier
    offlinePackage(schemaVersion: $schemaVersion) {
      url
      sha256
      sizeBytes
      uncompressedSizeBytes
      schemaVersion
      updatedAt
    }
  }
}`);

/** Returns the offered packages by the identifiers of their translations. */
export async function offeredPackages(
  client: LecternClient,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, OfferedPackage>> {
  const { translations } = await client.query(offeredPackagesDocument, { schemaVersion: maxSchemaVersion }, { signal });
  return new Map(
    translations.flatMap(({ identifier, offlinePackage }) => (offlinePackage ? [[identifier, offlinePackage]] : [])),
  );
}
