import type { Logger } from '@lectern/serving';
import type { Cluster, Redis } from 'ioredis';
import { withTimeout } from '../in-time';
import { createAnswerSeal } from './signed-entries';

/** After a look-up that was late: how long until another is tried, and then one by one until one is in time. */
const pauseMs = 1_000;
const mostAnswerBytes = 256_000;
/** What may be on its way to Redis. More is not written: limits are counted over the same connection, and wait behind it. */
const mostBytesUnderWay = 2_000_000;

export interface RedisCacheOptions {
  /** Connected and closed by whoever counts with it. */
  redis: Redis | Cluster;
  /** Whether Redis is left alone, as the counts found out. */
  isUnavailable: () => boolean;
  /** The deployment's, the same on every gateway. */
  secret: string;
  /** How long an answer is kept. */
  seconds: number;
  /** How long a look-up may take, in milliseconds, before the subgraphs are asked: about what they take themselves. */
  deadlineMs?: number;
  log: Logger;
  /** In milliseconds, and never set back. */
  now?: () => number;
}

export interface FoundAnswer {
  readonly body: Buffer;
  /** How long it may still be kept, in milliseconds: it is as old as it is, wherever it is kept. */
  readonly ms: number;
}

/** Answers as bytes in Redis, for all gateways of one deployment. It is asked only while it answers in no time, and a loss to nobody when it does not. */
export function createRedisCache({
  redis,
  isUnavailable,
  secret,
  seconds,
  deadlineMs = 20,
  log,
  now = () => performance.now(),
}: RedisCacheOptions) {
  const seal = createAnswerSeal(secret);
  const lookups = createOutage(log, {
    lost: 'kept answers are not looked for in Redis: it is slow',
    back: 'kept answers are looked for in Redis again',
  });
  const writes = createOutage(log, {
    lost: 'Redis does not take answers: each gateway keeps its own until it does',
    back: 'Redis takes answers again',
  });
  let nextTrial = 0;
  let bytesUnderWay = 0;

  const isReady = (): boolean => redis.status === 'ready' && !isUnavailable();

  return {
    /** Under what the answer to this lies. Gateways that keep answers for another time have others. */
    nameOf: (parts: readonly string[]): string => `lectern:answer:${seal.nameOf([seconds, ...parts])}`,

    isUp: (): boolean => isReady() && (!lookups.isOn() || now() >= nextTrial),

    /** Null where none is there. Rejects where none can be had in time, or something else lies there. */
    async find(name: string): Promise<FoundAnswer | null> {
      const began = now();
      if (lookups.isOn()) nextTrial = began + pauseMs;
      const replies = await withTimeout(redis.pipeline().getBuffer(name).pttl(name).exec(), deadlineMs).catch(
        (error: unknown) => {
          nextTrial = now() + pauseMs;
          lookups.begin(error);
          throw error;
        },
      );
      const [[fault, stored] = [], [, left] = []] = replies ?? [];
      if (fault) throw fault;
      lookups.end();
      if (!Buffer.isBuffer(stored)) return null;
      const body = seal.open(name, stored);
      if (!body) throw new Error('what lies there is no answer of ours');
      // Of Redis' clock, and at the worst as long ago as it was asked. Without an end it was not we who put it there so.
      const ms = typeof left === 'number' ? left - Math.ceil(now() - began) : 0;
      return ms > 0 ? { body, ms } : null;
    },

    /** Nobody waits for it. What is too large, or too much at once, is not written. */
    keep(name: string, body: string | Buffer): void {
      const bytes = Buffer.byteLength(body);
      if (bytes > mostAnswerBytes || bytesUnderWay + bytes > mostBytesUnderWay || !isReady() || lookups.isOn()) return;
      bytesUnderWay += bytes;
      redis
        .set(name, seal.close(name, body), 'EX', seconds)
        .then(writes.end, (error: unknown) => {
          // That a connection is gone is told by the counts, or it was closed.
          if (isReady()) writes.begin(error);
        })
        .finally(() => (bytesUnderWay -= bytes));
    },
  };
}

export type RedisCache = ReturnType<typeof createRedisCache>;

/** Something that is out for a while, told once when it begins and once when it is over. */
function createOutage(log: Logger, { lost, back }: { lost: string; back: string }) {
  let on = false;
  return {
    isOn: (): boolean => on,
    begin(error: unknown): void {
      if (!on) log.warn({ reason: error instanceof Error ? error.message : String(error) }, lost);
      on = true;
    },
    end(): void {
      if (on) log.info(back);
      on = false;
    },
  };
}
