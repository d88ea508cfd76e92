// Preloaded into a measured process with `node --require`. Obeys the commands that its parent sends
// over IPC.
import { calibrationMs } from './delay-limit-calibration';
import { threadCpuMs } from './thread-cpu-time';

export type MeterCommand = 'start' | 'stop' | 'calibrate';

let isRunning = false;
let longestMs = 0;
let lastWallMs = 0;
let lastCpuMs = 0;

/**
 * Runs once in each turn of the event loop. The time between two runs is the event-loop delay.
 * The delay counts only up to the CPU time of the turn: on a busy machine the process may also have
 * waited for a core.
 */
function measureTurn(): void {
  const wallMs = performance.now();
  const cpuMs = threadCpuMs();
  longestMs = Math.max(longestMs, Math.min(wallMs - lastWallMs, cpuMs - lastCpuMs));
  lastWallMs = wallMs;
  lastCpuMs = cpuMs;
  if (isRunning) setImmediate(measureTurn);
}

const handlers: Record<MeterCommand, () => number> = {
  start() {
    isRunning = true;
    longestMs = 0;
    lastWallMs = performance.now();
    lastCpuMs = threadCpuMs();
    setImmediate(measureTurn);
    return 0;
  },
  stop() {
    isRunning = false;
    // Measures the current turn too. It may be the turn that sent the response, if the parent has already sent this
    // command in response.
    measureTurn();
    return longestMs;
  },
  calibrate: calibrationMs,
};

process.on('message', (command: MeterCommand) => process.send?.(handlers[command]()));
// The channel to the parent does not keep the process alive.
process.channel?.unref();
// If the parent is killed, this process ends too.
process.once('disconnect', () => process.exit());
