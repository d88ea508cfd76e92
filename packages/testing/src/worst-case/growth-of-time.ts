import { createRandomChoices } from '../random-choices';
import { characterClasses } from './character-classes';

export interface GeneratedText {
  /** The kind of its characters and how they are arranged, for messages. */
  name: string;
  /** Returns the text with this length in UTF-16 units. */
  ofLength(length: number): string;
}

const separators = ['', ' ', ',', ';', '-', '.', ':', '"'];

/** The ways in which a text is made of a piece. Each returns a text of the length. */
const arrangements: Readonly<Record<string, (piece: string, length: number) => string>> = {
  'a run of': repeatTo,
  'a run between a name and a number of': (piece, length) => `Jn${repeatTo(piece, length - 6)}3:16`,
  'with numbers between': (piece, length) =>
    Array.from({ length: Math.ceil(length / piece.length) }, (_, index) => `${index}${piece}`)
      .join('')
      .slice(0, length),
};

/** Generates texts of each character class: one piece of the class and several pieces, each in a random arrangement. */
export function generateTexts(seed: number): GeneratedText[] {
  const { pick, pickSeveral } = createRandomChoices(seed);
  return Object.entries(characterClasses).flatMap(([name, pieces]) =>
    [pick(pieces) + pick(separators), pickSeveral(pieces, 10).join(pick(separators))].map((piece) => {
      const [arrangement, arrange] = pick(Object.entries(arrangements));
      return {
        name: `${arrangement} ${name} ${JSON.stringify(piece)}`,
        ofLength: (length: number) => arrange(piece, length),
      };
    }),
  );
}

function repeatTo(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

const smallLength = 2_500;
const largeLength = 10_000;
/** Linear time grows by a factor of 4, and quadratic time by a factor of 16. */
const maxFactor = 10;
/** A run that is faster than this is not slow, whatever its factor is. */
const minMs = 2;
const maxTries = 8;

/**
 * Runs `work` with 2,500 and with 10,000 characters of each text. Returns a message for each text whose time does not
 * grow linearly. Repeats a slow run, because garbage collection and compilation also take time. `now` returns the time
 * in milliseconds.
 */
export function textsWithNonlinearTime(
  texts: readonly GeneratedText[],
  work: (text: string) => unknown,
  now: () => number = () => performance.now(),
): string[] {
  const timeOf = (text: string): number => {
    const startedAt = now();
    work(text);
    return now() - startedAt;
  };
  return texts.flatMap(({ name, ofLength }) => {
    const small = ofLength(smallLength);
    const large = ofLength(largeLength);
    let smallMs = Infinity;
    let largeMs = Infinity;
    for (let tries = 0; tries < maxTries; tries += 1) {
      // The small text runs as often as its length is shorter, because a short time is measured inexactly.
      smallMs = Math.min(
        smallMs,
        meanOf(largeLength / smallLength, () => timeOf(small)),
      );
      largeMs = Math.min(largeMs, timeOf(large));
      if (largeMs < minMs || largeMs < smallMs * maxFactor) return [];
    }
    return [
      `${name}: ${largeLength} characters take ${(largeMs / smallMs).toFixed(1)} times as long as ${smallLength}`,
    ];
  });
}

const meanOf = (times: number, measure: () => number): number =>
  Array.from({ length: times }, measure).reduce((sum, each) => sum + each, 0) / times;
