/** The answer, or a rejection where it does not come within so many milliseconds. */
export function withTimeout<T>(answer: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // Judged only after what has arrived meanwhile was read: it may be this process that was busy, and not who is asked.
    timer = setTimeout(() => setImmediate(() => reject(new Error(`no answer within ${ms} ms`))), ms);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
