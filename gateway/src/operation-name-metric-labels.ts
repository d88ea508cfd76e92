import { redactKeys } from '@lectern/serving';

/**
 * The maximum number of operation names that get their own label in the metrics. Clients choose the
 * operation names, so the metrics of all names could take any amount of memory.
 */
const maxOperationNames = 100;
// No GraphQL name contains a parenthesis, so these labels differ from every operation name.
const anonymous = '(anonymous)';
const other = '(other)';

/**
 * Creates the function that returns the label of an operation name. The first 100 names get their
 * own label, and all further names share the label `(other)`. The name of an anonymous operation is
 * null.
 */
export function createOperationNameLabels(): (operationName: string | null) => string {
  const labels = new Map<string, string>();
  return (operationName) => {
    if (operationName === null) return anonymous;
    const known = labels.get(operationName);
    if (known !== undefined) return known;
    if (labels.size >= maxOperationNames) return other;
    // A client may send an API key as an operation name, because the key is a valid name in
    // GraphQL.
    const label = redactKeys(operationName);
    labels.set(operationName, label);
    return label;
  };
}
