import { DiffRule, diff } from '@graphql-inspector/core';

const levels = { BREAKING: 'breaking', DANGEROUS: 'dangerous', NON_BREAKING: 'safe' };

/**
 * The types of changes that count as breaking for the contract, although some of them are safe for
 * queries. Clients generate types from the contract, so its types and defaults must stay equal.
 */
const contractBreaks = new Set([
  'FIELD_TYPE_CHANGED',
  'FIELD_ARGUMENT_TYPE_CHANGED',
  'FIELD_ARGUMENT_DEFAULT_CHANGED',
  'INPUT_FIELD_TYPE_CHANGED',
  'INPUT_FIELD_DEFAULT_VALUE_CHANGED',
]);

/**
 * Lists the changes from a reference schema to the schema `now`.
 * For the contract only breaking changes are listed, because additions to it are expected.
 */
export async function compareSchemas({ name, schema: before, isContract = false }, now) {
  const changes = await diff(before, now);
  const changesWithLevel = changes.map((change) => ({
    change,
    level: isContract && contractBreaks.has(change.type) ? 'breaking' : levels[change.criticality.level],
  }));
  const topLevel = withoutNestedAdditions(
    changesWithLevel.filter(({ level }) => level === 'safe').map(({ change }) => change),
  );
  return changesWithLevel
    .filter(({ change, level }) => (isContract ? level === 'breaking' : level !== 'safe' || topLevel.has(change)))
    .map(({ change, level }) => ({
      level,
      type: change.type,
      path: change.path ?? '',
      message: change.message,
      reason: change.criticality.reason ?? null,
      against: [name],
    }));
}

/**
 * Returns the changes without those that a change of the parent element includes: the addition of a
 * type includes the additions of its fields. Pass safe changes only, because for example a changed
 * description of a field would also hide a change of the field's type.
 *
 * @param {import('@graphql-inspector/core').Change[]} changes
 */
function withoutNestedAdditions(changes) {
  const config = undefined;
  const simplified = DiffRule.simplifyChanges({ changes, oldSchema: null, newSchema: null, config });
  if (!Array.isArray(simplified)) throw new TypeError('simplifyChanges is expected to be synchronous');
  return new Set(simplified);
}

/**
 * Merges several comparisons. A change that occurs in several comparisons is listed once, with the
 * names of all those reference schemas in `against`.
 */
export function mergeChanges(lists) {
  const merged = new Map();
  for (const change of lists.flat()) {
    const same = merged.get(change.message);
    merged.set(
      change.message,
      same
        ? {
            ...same,
            level: same.level === 'breaking' ? 'breaking' : change.level,
            against: [...same.against, ...change.against],
          }
        : change,
    );
  }
  return [...merged.values()].sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}
