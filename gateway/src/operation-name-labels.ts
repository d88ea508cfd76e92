import { redactKeys } from '@lectern/serving';

/**
 * The maximum number of operation names with a label of their own, because clients choose operation
 * names. The parentheses of the other labels are in no GraphQL name.
 */
const maxOperationNames = 100;
const anonymous = '(anonymous)';
const other = '(other)';

/**
 * Creates the function that returns the label of an operation name. The first 100 names have a label
 * of their own, and all further names share one. The name of an operation is null if it has none.
 */
export function createOperationNameLabels(): (operationName: string | null) => string {
  const labels = new Map<string, string>();
  return (operationName) => {
    if (operationName === null) return anonymous;
    const known = labels.get(operationName);
    if (known !== undefined) return known;
    if (labels.size >= maxOperationNames) return other;
    // A client may send an API key as an operation name, because the key is a valid name in GraphQL.
    const label = redactKeys(operationName);
    labels.set(operationName, label);
    return label;
  };
}
