import { createServer } from 'node:http';
import { listen } from './index';

test('listen rejects with an error that names the port and host if the port is taken', async () => {
  const listening = await listen(createServer(), { host: '127.0.0.1', port: 0 });
  await expect(listen(createServer(), { host: '127.0.0.1', port: listening.port })).rejects.toThrow(
    `Port ${listening.port} on 127.0.0.1 is taken`,
  );
  await listening.close({ graceMs: 0 });
});
