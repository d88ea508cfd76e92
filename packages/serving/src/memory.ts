import { availableParallelism, totalmem } from 'node:os';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { EnvError, makeValidator } from 'envalid';
import type { Logger } from './logger';

const megabyte = 2 ** 20;
const maxMemoryMb = 1_048_576;

/** The setting MEMORY_MB, '' if it is absent. `min` is what the process needs, in megabytes. */
export const memorySettings = (min: number) => ({
  MEMORY_MB: makeValidator<number | ''>((text) => {
    if (text.trim() === '') return '';
    const number = Number(text);
    if (!/^\d{1,7}$/.test(text.trim()) || number < min || number > maxMemoryMb)
      throw new EnvError(
        `must be a whole number of megabytes from ${min}, which this process needs, to ${maxMemoryMb}, or empty for the memory limit of the container`,
      );
    return number;
  })({
    default: '',
    desc: `The memory that the process may take, in megabytes, at least ${min}: docs/grow.md#memory-of-a-process. The JavaScript heap may take half of it, and caches whose size is not set are smaller below 1024. Empty: the memory limit of the container (cgroup); outside a container, no limit.`,
  }),
});

interface MemoryConfig {
  readonly MEMORY_MB: number | '';
  readonly WORKERS?: number;
}

/** Returns the memory that one process or worker may take, in megabytes. Returns null if there is no limit. */
export function processMemoryMb(config: MemoryConfig): number | null {
  // Copies `config`, because it may be a proxy that throws if code reads a setting that the process lacks.
  const { MEMORY_MB, WORKERS = 1 } = { ...config };
  const cgroupBytes = process.constrainedMemory();
  const limit = MEMORY_MB || (cgroupBytes > 0 && cgroupBytes < totalmem() ? Math.floor(cgroupBytes / megabyte) : null);
  return limit === null ? null : Math.floor(limit / WORKERS);
}

/** Sizes of caches in bytes. By default at most the memory of the process divided by `memoryParts`. */
export type CacheSettings = Readonly<Record<string, { readonly default?: unknown; readonly memoryParts?: number }>>;

/** Returns default sizes of caches for limited memory. Leaves out what the operator has set. */
export function smallerCaches(config: object, settings: CacheSettings, env: NodeJS.ProcessEnv): Record<string, number> {
  const memory = 'MEMORY_MB' in config ? processMemoryMb(config as MemoryConfig) : null;
  if (memory === null) return {};
  const smaller: Record<string, number> = {};
  for (const [name, { memoryParts, default: usual }] of Object.entries(settings)) {
    if (memoryParts === undefined || env[name] !== undefined) continue;
    smaller[name] = Math.min(Number(usual), Math.floor((memory * megabyte) / memoryParts));
  }
  return smaller;
}

/** In megabytes: half of the memory, as Node.js does in a small container. */
const heapMb = (memory: number): number => Math.max(128, Math.floor(memory / 2));

/** The memory for new objects, in megabytes. V8 takes this memory in addition to the heap limit. */
const newObjectsMb = 48;

/** Limits a process to `memory` megabytes, or not with null. Variables of the operator take precedence. */
export function processOptions(memory: number | null, env: NodeJS.ProcessEnv) {
  const own = env['NODE_OPTIONS'] ?? '';
  const heapLimit =
    memory === null || /max[-_]old[-_]space[-_]size/.test(own) ? [] : [`--max-old-space-size=${heapMb(memory)}`];
  // V8 creates objects in two spaces of 16 MB. With 2 MB, the originals subgraph took 20 MB less and no more time.
  const smallSpaces =
    memory === null || memory >= 256 || /max[-_]semi[-_]space[-_]size/.test(own) ? [] : ['--max-semi-space-size=2'];
  // V8 has four threads for garbage and compiling, for which requests would wait on two cores.
  const threads = Math.min(4, Math.max(1, availableParallelism() - 1));
  return {
    execArgv: [...heapLimit, ...smallSpaces, ...(/v8[-_]pool[-_]size/.test(own) ? [] : [`--v8-pool-size=${threads}`])],
    env: {
      // Fewer arenas, because glibc returns less free memory to the operating system with one for each thread.
      MALLOC_ARENA_MAX: env['MALLOC_ARENA_MAX'] ?? '2',
      // The initial value of glibc. Setting it explicitly keeps glibc from raising it to as much as 64 MB.
      MALLOC_TRIM_THRESHOLD_: env['MALLOC_TRIM_THRESHOLD_'] ?? '131072',
    },
  };
}
/** The command-line options of node and the environment variables of a process. */
export type ProcessOptions = ReturnType<typeof processOptions>;

/** Returns `processOptions` for MEMORY_MB, or for the memory of the container. Ignores an invalid MEMORY_MB. */
export function processOptionsFromEnv(env: NodeJS.ProcessEnv): ProcessOptions {
  const given = Number(env['MEMORY_MB']);
  return processOptions(processMemoryMb({ MEMORY_MB: given >= 1 && given <= maxMemoryMb ? given : '' }), env);
}

/**
 * Makes V8 collect garbage when the heap has grown by 40 % of its live objects, not by several times. With 10 %, a
 * process took 45 MB less, but half of the CPU of a search. Warns if MEMORY_MB is set without its heap limit.
 */
export function limitMemory(config: MemoryConfig, log: Logger): void {
  setFlagsFromString('--heap-growing-percent=40');
  const memory = config.MEMORY_MB === '' ? null : processMemoryMb(config);
  if (memory === null || getHeapStatistics().heap_size_limit <= (heapMb(memory) + newObjectsMb) * megabyte) return;
  log.warn(
    `MEMORY_MB=${config.MEMORY_MB} does not limit the JavaScript heap of this process. Start it with npm, or set NODE_OPTIONS=--max-old-space-size=${heapMb(memory)}`,
  );
}
