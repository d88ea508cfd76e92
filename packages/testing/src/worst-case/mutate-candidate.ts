import type { GraphQLSchema } from 'graphql';
import { getNamedType, isCompositeType, isNonNullType } from 'graphql';
import type { RandomChoices } from '../random-choices';
import { randomText } from './argument-values';
import type { Candidate, FieldChoice } from './operation-candidate';
import { allFields, selectionForms } from './operation-candidate';
import { fieldDefinition } from './print-operation';
import type { RandomCandidates } from './random-candidate';
import { copyCounts } from './random-candidate';

const maxCopies = 1_000;
const maxChanges = 3;

export interface MutateParts {
  schema: GraphQLSchema;
  choices: RandomChoices;
  candidates: RandomCandidates;
}

/**
 * Creates the function that returns a changed copy of a candidate (the description of an
 * operation).
 */
export function createMutate({ schema, choices, candidates }: MutateParts) {
  const { pick, pickSeveral, chance } = choices;
  const { starts, randomRoot, randomSelection, randomExtra, randomArgument } = candidates;

  const changeCopies = (field: FieldChoice): void => {
    field.copies = chance(0.5)
      ? pick(copyCounts)
      : Math.min(maxCopies, Math.max(1, Math.round(field.copies * pick([0.5, 2, 4]))));
  };

  const changeArgument = (field: FieldChoice): void => {
    const definition = pick(fieldDefinition(schema, field.type, field.name)?.args ?? []);
    if (!definition) return changeCopies(field);
    const current = field.arguments.find(({ name }) => name === definition.name);
    const others = field.arguments.filter((each) => each !== current);
    if (!current) others.push(randomArgument(definition));
    else if (current.value.kind === 'text' && chance(0.6)) {
      // Changes one property of the text, and leaves the other properties unchanged.
      const property = pick(['words', 'separator', 'length'] as const);
      const value = { ...current.value, [property]: randomText(definition.name, choices)[property] };
      others.push({ ...current, value });
    } else if (chance(0.3)) others.push({ ...current, asVariable: !current.asVariable });
    else if (chance(0.4)) others.push({ ...current, differsPerCopy: !current.differsPerCopy });
    else if (isNonNullType(definition.type) || chance(0.7)) others.push(randomArgument(definition));
    field.arguments = others;
    return undefined;
  };

  const changeSelection = (field: FieldChoice): void => {
    const type = getNamedType(fieldDefinition(schema, field.type, field.name)?.type);
    if (!type || !isCompositeType(type)) return changeCopies(field);
    if (field.fields.length > 1 && chance(0.4)) field.fields.splice(field.fields.indexOf(pick(field.fields)), 1);
    else {
      const known = new Set(field.fields.map(({ name }) => name));
      // A field that the selection contains already may be added again, with other arguments.
      field.fields.push(...randomSelection(type.name, 3).filter(({ name }) => !known.has(name) || chance(0.5)));
    }
    return undefined;
  };

  const changeRoots = (candidate: Candidate): void => {
    if (candidate.fields.length > 1 && chance(0.5)) candidate.fields.pop();
    else {
      candidate.fields.push(randomRoot(pick(starts)));
    }
  };

  const change = (candidate: Candidate, other: Candidate): void => {
    const field = pick(allFields(candidate));
    const kind = choices.random();
    if (kind < 0.35) changeArgument(field);
    else if (kind < 0.55) changeCopies(field);
    else if (kind < 0.75) changeSelection(field);
    else if (kind < 0.85) field.form = pick(selectionForms);
    else if (kind < 0.88) changeRoots(candidate);
    else if (kind < 0.92) candidate.extras = chance(0.5) ? [] : [randomExtra()];
    else candidate.fields.push(structuredClone(pick(other.fields)));
  };

  /**
   * Returns a copy with one to three changes. `other` is a candidate from which a root field may be
   * taken.
   */
  return (candidate: Candidate, other: Candidate): Candidate => {
    const changed = structuredClone(candidate);
    for (const _ of pickSeveral([0], maxChanges)) change(changed, other);
    return changed;
  };
}
