import { createRespawningThread } from './respawning-thread';

const create = () =>
  createRespawningThread<{ ends?: boolean }, { threadId: number }>('../test-support/exiting-thread.mjs', {});

test('if a worker thread ends, the requests to the thread are rejected, and the next request starts a new thread', async () => {
  const thread = create();
  const { threadId } = await thread.send({});
  expect((await thread.send({})).threadId).toBe(threadId);
  await expect(Promise.all([thread.send({ ends: true }), thread.send({})])).rejects.toThrow('the thread ended');
  await thread.ready();
  expect((await thread.send({})).threadId).toBeGreaterThan(threadId);
  await thread.close();
});

test('a worker thread that was closed rejects requests and does not start again', async () => {
  const thread = create();
  await thread.ready();
  await thread.close();
  await expect(thread.ready()).rejects.toThrow('closed');
  await expect(thread.send({})).rejects.toThrow('closed');
});
