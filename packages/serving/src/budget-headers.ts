import { hash, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { BudgetedRequest, WorkBudget } from './work-scheduler';

/** Computing time: a request says what remains and for whom, a response what was used. */
export const budgetHeaders = { cpuMs: 'x-lectern-cpu-ms', clients: 'x-lectern-clients' } as const;

/** Milliseconds with up to three decimals. */
const cpuMsPattern = /^\d{1,9}(\.\d{1,3})?$/;

/** Of this process. Subgraphs learn who comes back, but neither keys nor addresses. */
const salt = randomUUID();
const pseudonym = (client: string): string => hash('sha256', salt + client, 'base64url').slice(0, 16);

const clientsPattern = /^[\x21-\x7e]{1,100}( [\x21-\x7e]{1,100}){0,3}$/;

/** Returns null if the header is missing or is no number of milliseconds. */
export const parseCpuMs = (header: string | readonly string[] | undefined): number | null =>
  typeof header === 'string' && cpuMsPattern.test(header) ? Number(header) : null;

export const writeBudgetHeaders = (work: WorkBudget): Record<string, string> => ({
  [budgetHeaders.cpuMs]: work.remainingMs().toFixed(1),
  ...(work.clients.length > 0 && { [budgetHeaders.clients]: work.clients.map(pseudonym).join(' ') }),
});

/** Ignores headers that are not as `writeBudgetHeaders` writes them. */
export function readBudgetHeaders(headers: IncomingHttpHeaders): BudgetedRequest {
  const clients = headers[budgetHeaders.clients];
  return {
    maxMs: parseCpuMs(headers[budgetHeaders.cpuMs]) ?? undefined,
    clients: typeof clients === 'string' && clientsPattern.test(clients) ? clients.split(' ') : [],
  };
}
