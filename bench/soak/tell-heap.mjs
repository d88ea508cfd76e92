// Loaded into the process that is soaked: says how much of its heap is in use after a collection, to whoever asks at HEAP_PORT of this machine.
import { createServer } from 'node:http';

createServer((_, response) => {
  globalThis.gc();
  response.end(String(process.memoryUsage().heapUsed));
})
  .listen({ host: '127.0.0.1', port: Number(process.env.HEAP_PORT) })
  .unref();
