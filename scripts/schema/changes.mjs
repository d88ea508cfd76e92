import { DiffRule, diff } from '@graphql-inspector/core';

const levels = { BREAKING: 'breaking', DANGEROUS: 'dangerous', NON_BREAKING: 'safe' };

/** Of the contract these are kept to the letter, though GraphQL itself would call some of them safe: clients have types made from it. */
const letters = new Set([
  'FIELD_TYPE_CHANGED',
  'FIELD_ARGUMENT_TYPE_CHANGED',
  'FIELD_ARGUMENT_DEFAULT_CHANGED',
  'INPUT_FIELD_TYPE_CHANGED',
  'INPUT_FIELD_DEFAULT_VALUE_CHANGED',
]);

/** What was changed between a reference and the schema of this tree. The contract has only its breaks listed: what grew is welcome. */
export async function compareSchemas({ name, schema: before, isContract = false }, now) {
  const changes = await diff(before, now);
  const withLevels = changes.map((change) => ({
    change,
    level: isContract && letters.has(change.type) ? 'breaking' : levels[change.criticality.level],
  }));
  // What is new is told once, not field by field. Only of the safe ones: a new description would hide a change of type at the same place.
  const whole = new Set(
    DiffRule.simplifyChanges({
      changes: withLevels.filter(({ level }) => level === 'safe').map(({ change }) => change),
    }),
  );
  return withLevels
    .filter(({ change, level }) => (isContract ? level === 'breaking' : level !== 'safe' || whole.has(change)))
    .map(({ change, level }) => ({
      level,
      type: change.type,
      path: change.path ?? '',
      message: change.message,
      reason: change.criticality.reason ?? null,
      against: [name],
    }));
}

/** One list of several comparisons: what two of them say alike stands once, and names both. */
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
