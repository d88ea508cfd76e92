import type { IncomingMessage } from 'node:http';

/** Counts a request against its sender, and says whether there was one left. */
export type ConsumeRateLimit = (request: IncomingMessage) => Promise<{ allowed: boolean; retryAfterSeconds: number }>;
