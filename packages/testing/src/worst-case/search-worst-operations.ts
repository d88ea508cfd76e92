import { createRandomChoices } from '../random-choices';
import type { Cursors } from './argument-values';
import type { SizeLimits } from './fit-to-limits';
import { fitToLimits, fitToSize } from './fit-to-limits';
import { createMutate } from './mutate-candidate';
import type { Candidate } from './operation-candidate';
import type { MeasuredOperation } from './operation-event-loop-delay';
import { createOperationMeter, fetchSchema } from './operation-event-loop-delay';
import type { PrintedOperation } from './print-operation';
import { printOperation } from './print-operation';
import type { MeasuredProcess } from './process-with-event-loop-meter';
import { createRandomCandidates } from './random-candidate';

/** An operation that the search found, with its measurement. */
export interface FoundOperation extends PrintedOperation, MeasuredOperation {
  /** The first root field of the operation. */
  rootField: string;
}

export interface SearchOptions {
  service: MeasuredProcess;
  /** The headers of each request, as alternating names and values. */
  headers: readonly string[];
  /**
   * The seed of the random choices. The measured times also direct the search, so two runs of a
   * seed differ.
   */
  seed: number;
  /** Is called with the number of measured operations. The search ends when it returns false. */
  continues: (measured: number) => boolean;
  /** The root fields that operations select, such as `Query.search`. All by default. */
  rootFields?: readonly string[];
  /** The maximum sizes of the requests that the search generates. */
  max: SizeLimits;
  /**
   * Is called with each operation that is slower than all earlier operations with the same root
   * field.
   */
  onFound?: (found: FoundOperation) => void;
}

/** The number of operations that are kept for one root field. */
const maxPerRootField = 3;
export interface WorstOperations {
  /**
   * At most ten operations, and at most three of each root field. The longest delay is the first.
   */
  worst: FoundOperation[];
  /** The number of operations that were measured. */
  measured: number;
}

/**
 * The share of new random operations. The other operations are changed copies of slow operations.
 */
const newShare = 0.6;
/**
 * The maximum number of times that an operation is reduced and sent again, to make it fit the
 * limits.
 */
const maxFits = 5;
const maxCursors = 50;
const warmUps = 30;
const maxReported = 10;
const repetitions = 3;
const finalRepetitions = 3;
const minRepeatedMs = 10;
const maxRepeatedMs = 200;

interface Kept extends FoundOperation {
  candidate: Candidate;
}

/**
 * Searches for the operations that block the event loop of a service longest. Starts with random
 * operations, changes the slowest of them, and keeps the slowest of each root field. Requests
 * beyond a limit are reduced a few times, and given up if they still do not fit.
 */
export async function searchWorstOperations({
  service,
  headers,
  seed,
  continues,
  rootFields,
  max,
  onFound,
}: SearchOptions): Promise<WorstOperations> {
  const meter = createOperationMeter({ service, headers, maxBodyBytes: max.bytes });
  const schema = await fetchSchema(`${service.origin}/graphql`, headers);
  const choices = createRandomChoices(seed);
  const cursors: Cursors = [];
  const candidates = createRandomCandidates({ schema, choices, cursors, ...(rootFields && { rootFields }) });
  const mutate = createMutate({ schema, choices, candidates });
  const kept = new Map<string, Kept[]>();
  let measured = 0;

  const keep = (found: Kept): void => {
    const same = kept.get(found.rootField) ?? [];
    if (found.delayMs > (same[0]?.delayMs ?? 0)) onFound?.(found);
    same.push(found);
    same.sort(byDelay);
    kept.set(found.rootField, same.slice(0, maxPerRootField));
  };

  const print = (candidate: Candidate): PrintedOperation => {
    fitToSize(candidate, max);
    return printOperation(schema, candidate);
  };

  /** Measures a candidate and, if it exceeds a limit, the reduced candidates. */
  const measure = async (candidate: Candidate): Promise<void> => {
    for (let fits = 0; fits <= maxFits; fits += 1) {
      const operation = print(candidate);
      const rootField = candidate.fields[0]?.name ?? '';
      let result = await meter.measure(operation);
      // A slow request is repeated, because compilation and garbage collection also delay the event
      // loop.
      const slowest = kept.get(rootField)?.at(-1)?.delayMs ?? 0;
      if (result.delayMs > Math.max(slowest, minRepeatedMs) && result.delayMs < maxRepeatedMs)
        result = await meter.measure(operation, repetitions);
      measured += 1;
      keep({ ...operation, ...result, candidate: structuredClone(candidate), rootField });
      collectCursors(result, cursors);
      if (!fitToLimits(candidate, result.status, result.body)) return;
    }
  };

  /**
   * Chooses the candidate to change: usually one of a slow root field, sometimes one of any root
   * field.
   */
  const parent = (): Candidate => {
    const sets = [...kept.values()].sort(([one], [other]) => (other?.delayMs ?? 0) - (one?.delayMs ?? 0));
    const rank = Math.floor(choices.random() * (choices.chance(0.5) ? choices.random() : 1) * sets.length);
    return choices.pick(sets[rank] ?? []).candidate;
  };

  // The first requests are slow, because V8 has not compiled the code of the service yet.
  for (let index = 0; index < warmUps; index += 1) await meter.measure(print(candidates.randomCandidate()));

  let starts = 0;
  while (continues(measured)) {
    const isNew = kept.size === 0 || choices.chance(newShare);
    // The first new operations select each root field once without a generated text, and once with
    // each kind of text (such as digits) in each of its text arguments.
    const start = candidates.starts[starts];
    if (isNew) starts += 1;
    await measure(isNew ? candidates.randomCandidate(start) : mutate(parent(), parent()));
  }
  const slowest = [...kept.values()].flat().sort(byDelay).slice(0, maxReported);
  const worst: FoundOperation[] = [];
  for (const { candidate: _, ...found } of slowest)
    worst.push({ ...found, ...(await meter.measure(found, finalRepetitions)) });
  return { worst: worst.sort(byDelay), measured };
}

const byDelay = (one: MeasuredOperation, other: MeasuredOperation): number => other.delayMs - one.delayMs;

function collectCursors({ body }: MeasuredOperation, cursors: Cursors): void {
  if (cursors.length >= maxCursors) return;
  for (const [, cursor = ''] of JSON.stringify(body.data ?? null).matchAll(/"(?:endCursor|cursor)":"([^"]+)"/g))
    if (cursors.length < maxCursors && !cursors.includes(cursor)) cursors.push(cursor);
}
