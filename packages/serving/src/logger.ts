import pino from 'pino';

/** Returns the message of an error, or the text of any other value that was thrown. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns what was thrown, as an error. */
export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

export type Logger = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

/** Matches what looks like an API key in any part of a line: a URL, a header, an error message. */
const keyLike = /svc_(live|test)_[A-Za-z0-9_-]{4,}/g;

/** Replaces everything that looks like an API key, except its prefix, with `[redacted]`. */
export const redactKeys = (line: string): string => line.replace(keyLike, 'svc_$1_[redacted]');

export interface LoggerOptions {
  service: string;
  level: string;
  /**
   * The process id that is added to every line, for services with several processes that write to
   * one log.
   */
  pid?: number;
  /**
   * The destination of the lines, by default standard output. Tests pass a destination to read the
   * lines.
   */
  destination?: { write(line: string): void };
}

/**
 * Creates a logger that writes one JSON object per line: time (ISO 8601), level, service, msg.
 * Redacts API keys anywhere in a line, and fields named `authorization`, `cookie` or `token` in the
 * first levels of the logged object.
 */
export function createLogger({ service, level, pid, destination }: LoggerOptions): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { service, ...(pid !== undefined && { pid }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: [...['authorization', 'cookie'].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), 'token', '*.token'],
      censor: '[redacted]',
    },
    hooks: { streamWrite: redactKeys },
  };
  return destination ? pino(options, destination) : pino(options);
}

export const silentLogger: Logger = pino({ level: 'silent' });

export interface OutageMessages {
  /** The message that is logged as a warning when the outage begins. */
  readonly began: string;
  /** The message that is logged as information when the outage ends. */
  readonly ended: string;
}

/**
 * Creates a reporter that logs an outage once when the outage begins and once when the outage ends,
 * however many requests notice it. `context` is added to both log lines.
 */
export function createOutageReporter(
  log: Pick<Logger, 'info' | 'warn'>,
  { began, ended }: OutageMessages,
  context: Readonly<Record<string, unknown>> = {},
) {
  let ongoing = false;
  return {
    /** Returns true from `begin` until `end`. */
    isOngoing: (): boolean => ongoing,
    /** Logs `began` with the reason, unless an outage is ongoing. */
    begin(reason: unknown, fields?: Readonly<Record<string, unknown>>): void {
      if (ongoing) return;
      ongoing = true;
      log.warn({ ...context, ...fields, reason: errorMessage(reason) }, began);
    },
    /** Logs `ended` if an outage is ongoing. */
    end(): void {
      if (!ongoing) return;
      ongoing = false;
      log.info(context, ended);
    },
  };
}

export type OutageReporter = ReturnType<typeof createOutageReporter>;
