import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { PlanNode } from '@graphql-hive/router-query-planner';
import { errors } from '@lectern/errors';

/** A message of the planner process. `invalid` and `failed` are reasons. */
type PlannerMessage =
  | { readonly clientSchema: string }
  | { readonly invalid: string }
  | { readonly node?: PlanNode }
  | { readonly failed: string };

interface Job {
  readonly operation: string;
  readonly resolve: (node: PlanNode | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** How long planning may take, in milliseconds. */
const maxPlanningMs = 2_000;

const plannerFile = join(__dirname, '..', '..', 'workers', 'planner.mjs');

/**
 * Starts a process that plans operations one by one. If it ends, the operation in progress has no plan, and a new
 * process plans the others. Rejects if the supergraph is invalid.
 */
export async function startPlannerProcess(supergraphSdl: string) {
  /** The first job is in progress. */
  const jobs: Job[] = [];
  let child: ChildProcess | null = null;
  let timer: NodeJS.Timeout | undefined;
  let resolveSchema: (clientSchema: string) => void;
  let rejectSchema: (error: Error) => void;

  const startJob = (): void => {
    const [job] = jobs;
    if (!job) return;
    child ??= startProcess();
    child.send({ operation: job.operation });
    timer = setTimeout(() => stop(errors.requestTooExpensive(maxPlanningMs)), maxPlanningMs);
  };
  const endJob = (end: (job: Job) => void): void => {
    clearTimeout(timer);
    const job = jobs.shift();
    if (job) end(job);
    startJob();
  };
  const stop = (reason: unknown): void => {
    child?.kill('SIGKILL');
    child = null;
    endJob(({ reject }) => reject(reason));
  };
  const receive = (message: PlannerMessage): void => {
    if ('clientSchema' in message) resolveSchema(message.clientSchema);
    else if ('invalid' in message) rejectSchema(new Error(message.invalid));
    else if ('failed' in message) endJob(({ reject }) => reject(new Error(message.failed)));
    else endJob(({ resolve }) => resolve(message.node));
  };
  const startProcess = (): ChildProcess => {
    const started = fork(plannerFile, { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const fail = (): void => {
      const error = new Error('the query planner ended because of an error in its native code');
      rejectSchema(error);
      if (child === started) stop(error);
    };
    started.on('message', (message) => {
      if (child === started) receive(message as PlannerMessage);
    });
    started.on('error', fail);
    started.on('exit', fail);
    started.send({ supergraphSdl });
    return started;
  };

  const clientSchema = await new Promise<string>((resolve, reject) => {
    resolveSchema = resolve;
    rejectSchema = reject;
    child = startProcess();
  }).catch((error: unknown) => {
    child?.kill('SIGKILL');
    throw error;
  });
  return {
    clientSchema,
    plan: (operation: string): Promise<PlanNode | undefined> =>
      new Promise((resolve, reject) => {
        jobs.push({ operation, resolve, reject });
        if (jobs.length === 1) startJob();
      }),
    /** Ends the process. The caller makes sure that no operation is in flight. */
    close(): void {
      clearTimeout(timer);
      child?.removeAllListeners();
      child?.kill('SIGKILL');
    },
  };
}
