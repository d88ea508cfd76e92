import type { Hint } from '@lectern/serving';
import { maxHints } from '@lectern/serving';

/**
 * Parses the header `x-lectern-hints` of a subgraph's response: hints for the developer of the
 * client, as a JSON list. The JSON is percent-encoded, because the message of a hint may quote any
 * text. Leaves out items that are not hints. Returns an empty list for any other header.
 */
export function parseHints(header: string | string[] | undefined): readonly Hint[] {
  if (typeof header !== 'string') return [];
  try {
    const value: unknown = JSON.parse(decodeURIComponent(header));
    return Array.isArray(value) ? value.filter(isHint).slice(0, maxHints) : [];
  } catch {
    return [];
  }
}

function isHint(value: unknown): value is Hint {
  const { coordinate, message } = (value ?? {}) as Partial<Record<keyof Hint, unknown>>;
  return typeof coordinate === 'string' && typeof message === 'string';
}
