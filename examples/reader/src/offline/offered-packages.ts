import { documentText, type LecternClient } from '@lectern/client';
import { maxSchemaVersion } from './schema-version';

/** A package as the service offers it: `Translation.offlinePackage`. */
export interface OfferedPackage {
  readonly url: string;
  /** The SHA-256 digest of the gzipped file, in hexadecimal. */
  readonly sha256: string;
  readonly sizeBytes: number;
  /** The size of the SQLite file in the gzipped file, in bytes. */
  readonly uncompressedSizeBytes: number;
  readonly schemaVersion: number;
  /** When the package was built: ISO 8601. */
  readonly updatedAt: string;
}

interface OfferedPackagesQuery {
  readonly translations: readonly {
    readonly identifier: string;
    readonly offlinePackage: OfferedPackage | null;
  }[];
}

/**
 * Asks for the packages of all translations in one request. The function `offlinePackage` of
 * @lectern/client asks for the package of one translation only.
 */
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
