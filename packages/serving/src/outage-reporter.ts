import { errorMessage } from './error-message';
import type { Logger } from './logger';

export interface OutageMessages {
  /** The message that is logged as a warning when the outage begins. */
  readonly began: string;
  /** The message that is logged as information when the outage ends. */
  readonly ended: string;
}

export interface OutageReporter {
  /** Returns true from `begin` until `end`. */
  isOngoing(): boolean;
  /** Logs `began` with the reason, unless an outage is ongoing. */
  begin(reason: unknown, fields?: Readonly<Record<string, unknown>>): void;
  /** Logs `ended` if an outage is ongoing. */
  end(): void;
}

/**
 * Creates a reporter that logs an outage once when the outage begins and once when the outage ends,
 * however many requests notice it. `context` is added to both log lines.
 */
export function createOutageReporter(
  log: Pick<Logger, 'info' | 'warn'>,
  { began, ended }: OutageMessages,
  context: Readonly<Record<string, unknown>> = {},
): OutageReporter {
  let ongoing = false;
  return {
    isOngoing: () => ongoing,
    begin(reason, fields) {
      if (ongoing) return;
      ongoing = true;
      log.warn({ ...context, ...fields, reason: errorMessage(reason) }, began);
    },
    end() {
      if (!ongoing) return;
      ongoing = false;
      log.info(context, ended);
    },
  };
}
