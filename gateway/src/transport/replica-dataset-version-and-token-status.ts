export interface ReplicaStatusOptions {
  /**
   * Called when the replica's dataset version (the digest of its Bible texts) becomes known,
   * changes or becomes unknown.
   */
  onDatasetVersion: () => void;
  /**
   * Called when the replica first accepts or rejects the gateway token, with which the gateway
   * identifies itself, and whenever this changes.
   */
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
      // If a response with status 200 lacks the header, the replica may serve any dataset. For any
      // other status, a missing header says nothing about the dataset.
      const isMissing = version === undefined && status === 200;
      if (isMissing ? isVersionMissing : typeof version !== 'string' || version === datasetVersion) return;
      isVersionMissing = isMissing;
      datasetVersion = typeof version === 'string' ? version : null;
      onDatasetVersion();
    },
    /**
     * Returns whether the replica accepted the gateway token: true after a response with status
     * 200, false after a response with status 401. Other responses change nothing. Null before the
     * first of these responses.
     */
    isTokenAccepted: (): boolean | null => isTokenAccepted,
    /** Returns the fields that the last response with status 200 reported as unavailable. */
    unavailableFields: (): readonly string[] => unavailableFields,
    /**
     * Returns the dataset version of the last response with a version, whatever its status. Returns
     * null before such a response, and after a response with status 200 without a version.
     */
    datasetVersion: (): string | null => datasetVersion,
    /**
     * Returns whether a response with status 200 had no dataset version, and no later response had
     * one.
     */
    isVersionMissing: (): boolean => isVersionMissing,
  };
}
