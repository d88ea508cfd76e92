// Runs inside the measured process (node --expose-gc --import). For each request at the port HEAP_PORT, it
// collects garbage and responds with the heap size in bytes.
import { createServer } from 'node:http';

createServer((_, response) => {
  globalThis.gc?.();
  response.end(String(process.memoryUsage().heapUsed));
})
  .listen({ host: '127.0.0.1', port: Number(process.env.HEAP_PORT) })
  .unref();
