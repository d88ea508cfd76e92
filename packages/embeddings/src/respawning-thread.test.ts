import { createRespawningThread } from './respawning-thread';

const create = () =>
  createRespawningThread<{ ends?: boolean }, { threadId: number }>('../test-support/exiting-thread.mjs', {});

test('a respawning thread rejects its requests if the worker thread ends, and starts a new worker thread for the next request', async () => {
  const thread = create();
  const { threadId } = await thread.send({});
  expect((await thread.send({})).threadId).toBe(threadId);
  await expect(Promise.all([thread.send({ ends: true }), thread.send({})])).rejects.toThrow('the thread ended');
  await thread.ready();
  expect((await thread.send({})).threadId).toBeGreaterThan(threadId);
  await thread.close();
});

test('a respawning thread rejects requests after it was closed, and starts no worker thread again', async () => {
  const thread = create();
  await thread.ready();
  await thread.close();
  await expect(thread.ready()).rejects.toThrow('closed');
  await expect(thread.send({})).rejects.toThrow('closed');
});
