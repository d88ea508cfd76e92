import { hash, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { BudgetedRequest, WorkBudget } from '../work/budget';

/** In a request to a subgraph: the time left, and the client. In a response: the time used. */
const budgetHeaders = { cpuMs: 'x-lectern-cpu-ms', clients: 'x-lectern-clients' } as const;

/** The share of a budget that a request may have used while its subgraphs still use their own budgets, unreduced. */
const maxUnreportedShare = 0.1;

/** The computing time that a subgraph reports, in milliseconds. Shorter times change nothing. */
const minReportedMs = 1;

/** The maximum number of clients whose headers are cached. */
const maxClients = 10_000;

/** Names and values of headers in turn: the same list for all requests of a client, unless a request differs. */
export type BudgetHeaders = readonly string[];

/** Writes the headers of a request. The time left only if it differs from a subgraph's own budget. */
export function createWriteBudgetHeaders() {
  // Subgraphs recognize a client by a hash, without learning its key or address.
  const salt = randomUUID();
  const pseudonymOf = (client: string): string => hash('sha256', salt + client, 'base64url').slice(0, 16);
  /** The headers by the API key and the address of a client. */
  const headersOf = new Map<string, Map<string, BudgetHeaders>>();
  const clientHeaders = (clients: readonly string[]): BudgetHeaders => {
    const [key = '', address = ''] = clients;
    const known = headersOf.get(key)?.get(address);
    if (known) return known;
    const headers = clients.length === 0 ? [] : [budgetHeaders.clients, clients.map(pseudonymOf).join(' ')];
    if (headersOf.size >= maxClients || (headersOf.get(key)?.size ?? 0) >= maxClients) headersOf.clear();
    const ofKey = headersOf.get(key) ?? new Map<string, BudgetHeaders>();
    headersOf.set(key, ofKey.set(address, headers));
    return headers;
  };
  return (work: WorkBudget): BudgetHeaders => {
    const headers = clientHeaders(work.clients);
    return work.isExtended || work.usedMs() > maxUnreportedShare * work.limitMs
      ? [...headers, budgetHeaders.cpuMs, work.remainingMs().toFixed(1)]
      : headers;
  };
}

const clientsPattern = /^[\x21-\x7e]{1,100}( [\x21-\x7e]{1,100}){0,3}$/;

/** Reads the headers of a request to a subgraph. Ignores malformed headers. */
export function readBudgetHeaders(headers: IncomingHttpHeaders): BudgetedRequest {
  const clients = headers[budgetHeaders.clients];
  return {
    maxMs: parseCpuMs(headers[budgetHeaders.cpuMs]) ?? undefined,
    clients: typeof clients === 'string' && clientsPattern.test(clients) ? clients.split(' ') : [],
  };
}

/** Returns the header of a subgraph's response that reports the computing time, unless the time is negligible. */
export const reportCpuTime = (work: WorkBudget): Record<string, string> =>
  work.usedMs() < minReportedMs ? {} : { [budgetHeaders.cpuMs]: work.usedMs().toFixed(1) };

/** Returns the computing time that a subgraph reports, in milliseconds. Returns 0 if the header is missing or malformed. */
export const readCpuTime = (headers: Readonly<Record<string, string | string[] | undefined>>): number =>
  parseCpuMs(headers[budgetHeaders.cpuMs]) ?? 0;

/** Matches a number of milliseconds with up to three decimals. */
const cpuMsPattern = /^\d{1,9}(\.\d{1,3})?$/;

const parseCpuMs = (header: string | readonly string[] | undefined): number | null =>
  typeof header === 'string' && cpuMsPattern.test(header) ? Number(header) : null;
