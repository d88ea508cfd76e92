import pino from 'pino';

/** Returns the message of an error, or the text of any other value that was thrown. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

export type Logger = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

/** Replaces everything that looks like an API key, except its prefix, with `[redacted]`. */
export const redactKeys = (line: string): string =>
  line.replace(/svc_(live|test)_[A-Za-z0-9_-]{4,}/g, 'svc_$1_[redacted]');

interface LoggerOptions {
  service: string;
  level: string;
  /** The process id, which is added to every line. For services with several processes that write to one log. */
  pid?: number;
  destination?: { write(line: string): void };
}

/** Creates a logger. It redacts API keys in each line, and the fields `authorization`, `cookie` and `token`. */
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

/** The messages that are logged when an outage begins, as a warning, and when it ends. */
interface OutageMessages {
  readonly began: string;
  readonly ended: string;
}

/** Logs one line, with the fields of `context`, when an outage begins, and one when it ends. */
export function createOutageReporter(
  log: Pick<Logger, 'info' | 'warn'>,
  { began, ended }: OutageMessages,
  context: Readonly<Record<string, unknown>> = {},
) {
  let ongoing: string | null = null;
  return {
    isOngoing: (): boolean => ongoing !== null,
    /** Returns the reason of the current outage. Returns null if there is no outage. */
    reason: (): string | null => ongoing,
    begin(reason: unknown, fields?: Readonly<Record<string, unknown>>): void {
      if (ongoing !== null) return;
      ongoing = errorMessage(reason);
      log.warn({ ...context, ...fields, reason: ongoing }, began);
    },
    end(): void {
      if (ongoing === null) return;
      ongoing = null;
      log.info(context, ended);
    },
  };
}

export type OutageReporter = ReturnType<typeof createOutageReporter>;
