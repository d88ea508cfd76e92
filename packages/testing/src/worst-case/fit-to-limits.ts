import type { GraphqlResponse } from '../graphql-client';
import type { Candidate, FieldChoice, ValueChoice } from './operation-candidate';
import { allFields, allTexts } from './operation-candidate';

/**
 * Reduces a candidate (the description of an operation) towards the limit that the response names.
 * Changes the candidate. Returns false if the response names no limit that can be met.
 */
export function fitToLimits(candidate: Candidate, status: number, { errors = [] }: GraphqlResponse): boolean {
  if (status === 413) return halveLongestText(candidate) || scaleCopies(candidate, 0.5);
  for (const { message } of errors) {
    const cost = /complexity of (\d+), which exceeds max complexity of (\d+)/.exec(message);
    if (cost) return scaleCopies(candidate, Number(cost[2]) / Number(cost[1]));
    if (/^Query has more than \d+ tokens/.test(message)) return scaleCopies(candidate, 0.6);
    if (/^Query spreads more than|^With their fragments expanded/.test(message)) return scaleCopies(candidate, 0.9);
    const text = /^(\w+) must be (\d+) characters or fewer/.exec(message);
    if (text && shortenTexts(candidate, text[1] ?? '', Number(text[2]))) return true;
    if (message.startsWith('Query has depth of')) return removeDeepest(candidate);
  }
  return false;
}

export interface SizeLimits {
  /** The maximum size of the request's body. */
  bytes: number;
  /** The maximum number of fields, each copy counted. */
  fields: number;
}

/** Reduces a candidate until the size of its operation is at most about `max`. */
export function fitToSize(candidate: Candidate, max: SizeLimits): void {
  const entities = candidate.fields.find(({ name }) => name === '_entities');
  // A gateway selects the field `_entities` once in each request.
  if (entities) candidate.fields = [Object.assign(entities, { copies: 1 })];
  while (countFields(candidate.fields) > max.fields) if (!scaleCopies(candidate, 0.5)) break;
  while (estimateBytes(candidate.fields) > max.bytes)
    if (!shareLongTexts(candidate) && !halveLongestText(candidate) && !scaleCopies(candidate, 0.5)) return;
}

const countFields = (fields: readonly FieldChoice[]): number =>
  fields.reduce((sum, { copies, fields: inner }) => sum + copies * (1 + countFields(inner)), 0);

/** Does not create the text of the request, which may be too large for the memory. */
const estimateBytes = (fields: readonly FieldChoice[]): number =>
  fields.reduce((sum, { name, copies, arguments: list, fields: inner }) => {
    const argumentBytes = list.reduce(
      (total, { value, asVariable, differsPerCopy }) =>
        total + bytesOf(value) * (asVariable && !differsPerCopy ? 1 : copies),
      0,
    );
    return sum + argumentBytes + copies * (name.length + 8 + estimateBytes(inner));
  }, 0);

const bytesOf = (value: ValueChoice): number =>
  value.kind === 'text' ? value.length : value.kind === 'representations' ? value.count * 80 : 40;

/**
 * Multiplies the largest number of copies of a field by `share`, or the count of an extra part if
 * that is larger. Returns false if all fields have one copy and no extra part has a larger count.
 */
function scaleCopies(candidate: Candidate, share: number): boolean {
  const largest = allFields(candidate).reduce((one, other) => (other.copies > one.copies ? other : one));
  const extra = candidate.extras.find(({ count }) => count > largest.copies);
  if (extra) extra.count = Math.max(1, Math.floor(extra.count * share));
  else if (largest.copies > 1) largest.copies = Math.max(1, Math.floor(largest.copies * share));
  else return false;
  return true;
}

/** Sends each long text once, as a variable. Returns false if nothing changed. */
function shareLongTexts(candidate: Candidate): boolean {
  const repeated = allFields(candidate)
    .filter(({ copies }) => copies > 1)
    .flatMap((field) => field.arguments)
    .filter(({ value, asVariable, differsPerCopy }) => isLong(value) && !(asVariable && !differsPerCopy));
  for (const argument of repeated) Object.assign(argument, { asVariable: true, differsPerCopy: false });
  return repeated.length > 0;
}

const isLong = (value: ValueChoice): boolean => value.kind === 'text' && value.length >= 1_000;

function halveLongestText(candidate: Candidate): boolean {
  const texts = allTexts(candidate).sort((one, other) => other.value.length - one.value.length);
  const [longest] = texts;
  if (!longest || longest.value.length < 1_000) return false;
  longest.value.length = Math.floor(longest.value.length / 2);
  return true;
}

function shortenTexts(candidate: Candidate, argument: string, max: number): boolean {
  const tooLong = allTexts(candidate).filter(({ name, value }) => name === argument && value.length > max);
  for (const { value } of tooLong) value.length = max;
  return tooLong.length > 0;
}

function removeDeepest(candidate: Candidate): boolean {
  const parents = allFields(candidate).filter(({ fields }) => fields.length > 0);
  const deepest = parents.at(-1);
  if (!deepest || parents.length < 2) return false;
  // A field that has lost its selection set is invalid, so the field is removed from its parent. If
  // the parent has no other field, nothing is removed.
  const parent = parents.find(({ fields }) => fields.includes(deepest));
  if (!parent || parent.fields.length < 2) return false;
  parent.fields = parent.fields.filter((field) => field !== deepest);
  return true;
}
