import { createRandomChoices } from '../random-choices';
import { characterClasses } from './text-pieces-by-kind';

export interface GeneratedText {
  /** The kind of the text's characters and their arrangement, for messages. */
  name: string;
  /** Returns the text with this length in UTF-16 units. */
  ofLength(length: number): string;
}

const separators = ['', ' ', ',', ';', '-', '.', ':', '"'];

/** Functions that make a text of the given length from a piece. */
const arrangements: Readonly<Record<string, (piece: string, length: number) => string>> = {
  'a run of': repeatTo,
  'a run between a name and a number of': (piece, length) => `Jn${repeatTo(piece, length - 6)}3:16`,
  'with numbers between': (piece, length) =>
    Array.from({ length: Math.ceil(length / piece.length) }, (_, index) => `${index}${piece}`)
      .join('')
      .slice(0, length),
};

/**
 * Generates texts of each character class: one piece of the class and several pieces, each in a
 * random arrangement.
 */
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
/**
 * The maximum ratio of the times for a large and a small text. The large text is four times as long, so linear time
 * grows by a factor of 4, and quadratic time by 16.
 */
const maxFactor = 10;
/** If the large text takes less than this time, in milliseconds, the check passes: so short times are not exact. */
const minMs = 2;
const maxTries = 8;

/** The CPU time of this process in milliseconds. A busy machine does not lengthen it. */
function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Runs `work` with 2,500 and with 10,000 characters of each text. Returns a message for each text
 * whose CPU time does not grow linearly. Repeats a slow run, because garbage collection and
 * compilation also take time. `now` returns the time in milliseconds.
 */
export function textsWithNonlinearTime(
  texts: readonly GeneratedText[],
  work: (text: string) => unknown,
  now: () => number = processCpuMs,
): string[] {
  const timeOf = (text: string): number => {
    const startedAt = now();
    work(text);
    return now() - startedAt;
  };
  return texts.flatMap(({ name, ofLength }) => {
    const small = ofLength(smallLength);
    const large = ofLength(largeLength);
    const parts = partsOf(large);
    let smallMs = Infinity;
    let largeMs = Infinity;
    for (let tries = 0; tries < maxTries; tries += 1) {
      largeMs = Math.min(largeMs, timeOf(large));
      if (largeMs < minMs) return [];
      // The time of the small text is at least the mean time of the parts of the large text, because parts may take
      // longer than the small text, for example if their numbers have more digits.
      smallMs = Math.min(smallMs, Math.max(timeOf(small), mean(parts.map(timeOf))));
      if (largeMs < smallMs * maxFactor) return [];
    }
    return [
      `${name}: ${largeLength} characters take ${(largeMs / smallMs).toFixed(1)} times as long as ${smallLength}`,
    ];
  });
}

/** Cuts a large text into parts of the length of a small text. */
const partsOf = (text: string): string[] =>
  Array.from({ length: largeLength / smallLength }, (_, index) =>
    text.slice(index * smallLength, (index + 1) * smallLength),
  );

const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;
