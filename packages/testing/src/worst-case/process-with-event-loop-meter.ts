import { join } from 'node:path';
import type { StartedProcess } from '../processes';
import { startProcess } from '../processes';
import type { MeterCommand } from './event-loop-meter';

export interface MeasuredProcess extends StartedProcess {
  /**
   * Runs `work` and returns the longest event-loop delay of the process in this time, in
   * milliseconds of CPU time. Calls must not overlap.
   */
  longestDelay(work: () => Promise<unknown>): Promise<number>;
  /** Measures how fast the process is: the CPU time of a fixed piece of work, in milliseconds. */
  calibrate(): Promise<number>;
  stop(): Promise<void>;
}

const meter = join(__dirname, '..', '..', 'dist', 'worst-case', 'event-loop-meter.js');

/**
 * Starts a compiled server as a process, and measures its event-loop delay through an IPC channel.
 */
export async function startMeasuredProcess(file: string, env: Record<string, string>): Promise<MeasuredProcess> {
  const started = await startProcess(file, { PRELOAD_PARSER: 'true', NODE_ENV: 'production', ...env }, '/ready', {
    preload: meter,
  });
  const { child } = started;
  const send = (command: MeterCommand): Promise<number> =>
    new Promise((resolve, reject) => {
      const onExit = () => reject(new Error(`${file} exited:\n${started.output()}`));
      child.once('exit', onExit);
      child.once('message', (milliseconds: number) => {
        child.off('exit', onExit);
        resolve(milliseconds);
      });
      child.send(command, (error) => error && reject(error));
    });
  return {
    ...started,
    async longestDelay(work) {
      await send('start');
      await work();
      return send('stop');
    },
    calibrate: () => send('calibrate'),
    async stop() {
      child.kill('SIGTERM');
      await started.ended;
    },
  };
}
