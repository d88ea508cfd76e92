export interface ReplicaStatusOptions {
  /** Called when the replica's dataset version becomes known, changes or becomes unknown. */
  onDatasetVersion: () => void;
  /** Called when the replica first accepts or rejects the gateway token, and whenever this changes. */
  onTokenChecked: () => void;
}

/** Creates the status of a replica: the facts in the headers of its responses. */
export function createReplicaStatus({ onDatasetVersion, onTokenChecked }: ReplicaStatusOptions) {
  let datasetVersion: string | null = null;
  let isVersionMissing = false;
  let unavailableFields: readonly string[] = [];
  let isTokenAccepted: boolean | null = null;

  return {
    /** Reads the headers of a response. Called before the body of the response is read. */
    onHeaders(received: Readonly<Record<string, string | string[] | undefined>>, status: number): void {
      if ((status === 200 || status === 401) && isTokenAccepted !== (status === 200)) {
        isTokenAccepted = status === 200;
        onTokenChecked();
      }
      const unavailable = received['x-lectern-unavailable-fields'];
      if (status === 200) unavailableFields = typeof unavailable === 'string' ? unavailable.split(',') : [];
      const version = received['x-lectern-dataset-version'];
      // A successful response without the header may come from any dataset. A rejection says nothing
      // about the dataset.
      const isMissing = version === undefined && status === 200;
      if (isMissing ? isVersionMissing : typeof version !== 'string' || version === datasetVersion) return;
      isVersionMissing = isMissing;
      datasetVersion = typeof version === 'string' ? version : null;
      onDatasetVersion();
    },
    /** Returns whether the last response accepted the gateway token. Null before any response. */
    isTokenAccepted: (): boolean | null => isTokenAccepted,
    /** Returns the fields that were unavailable at the last successful response. */
    unavailableFields: (): readonly string[] => unavailableFields,
    /**
     * Returns the dataset version of the last response. Returns null before the first response, and
     * after a response without a version.
     */
    datasetVersion: (): string | null => datasetVersion,
    /** Returns whether the last successful response had no dataset version. */
    isVersionMissing: (): boolean => isVersionMissing,
  };
}
