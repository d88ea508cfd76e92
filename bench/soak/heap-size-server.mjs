// Runs inside the measured process (node --expose-gc --import). Serves the heap size after a garbage collection, in bytes, at HEAP_PORT.
import { createServer } from 'node:http';

createServer((_, response) => {
  globalThis.gc?.();
  response.end(String(process.memoryUsage().heapUsed));
})
  .listen({ host: '127.0.0.1', port: Number(process.env.HEAP_PORT) })
  .unref();
