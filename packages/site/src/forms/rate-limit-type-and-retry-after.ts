import type { IncomingMessage } from 'node:http';

/**
 * Counts a request against the rate limit of `subject`, or of the client's address if `subject` is
 * undefined. The gateway passes another function for each form, because each form has its own
 * limit.
 */
export type ConsumeRateLimit = (
  request: IncomingMessage,
  subject?: string,
) => Promise<{
  allowed: boolean;
  /** The seconds until the limit allows a request again. */
  retryAfterSeconds: number;
}>;

export const retryAfterHeader = (seconds: number): Readonly<Record<string, string>> => ({
  'retry-after': String(seconds),
});

/** Formats a wait in minutes, rounded up: "a minute", "15 minutes". */
export function formatWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 1 ? 'a minute' : `${minutes} minutes`;
}
