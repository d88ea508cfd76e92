import { createRespawningThread } from './thread';

const create = () =>
  createRespawningThread<{ ends?: boolean }, { threadId: number }>('../test-support/thread-id-worker.mjs', {});

test('a respawning thread rejects all its pending requests if the worker thread ends, and starts a new worker thread for the next request', async () => {
  const thread = create();
  const { threadId } = await thread.send({});
  expect((await thread.send({})).threadId).toBe(threadId);
  const pending = await Promise.allSettled([thread.send({ ends: true }), thread.send({})]);
  const ended = { status: 'rejected', reason: { message: 'the thread ended' } };
  expect(pending).toMatchObject([ended, ended]);
  await thread.ready();
  expect((await thread.send({})).threadId).toBeGreaterThan(threadId);
  await thread.close();
});

test('a closed respawning thread rejects a request and a call of ready() with the error "closed"', async () => {
  const thread = create();
  await thread.ready();
  await thread.close();
  await expect(thread.ready()).rejects.toThrow('closed');
  await expect(thread.send({})).rejects.toThrow('closed');
});
