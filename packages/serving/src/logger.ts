import pino from 'pino';

export type Logger = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

/** Anything that looks like an API key, wherever in a line it turns up: in a URL, in a header, in somebody's exception. */
const keyLike = /svc_(live|test)_[A-Za-z0-9_-]{4,}/g;

export const redactKeys = (line: string): string => line.replace(keyLike, 'svc_$1_[redacted]');

export interface LoggerOptions {
  service: string;
  level: string;
  /** Stands in every line, where several processes write to one log. */
  pid?: number;
  /** Where lines go; standard output unless a test wants to read them. */
  destination?: { write(line: string): void };
}

/** One JSON object a line: time (ISO 8601), level, service, message. No line ever holds a key or an Authorization header. */
export function createLogger({ service, level, pid, destination }: LoggerOptions): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { service, ...(pid !== undefined && { pid }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: [
        'authorization',
        '*.authorization',
        '*.*.authorization',
        'cookie',
        '*.cookie',
        '*.*.cookie',
        'token',
        '*.token',
      ],
      censor: '[redacted]',
    },
    hooks: { streamWrite: redactKeys },
  };
  return destination ? pino(options, destination) : pino(options);
}

export const silentLogger: Logger = pino({ level: 'silent' });
