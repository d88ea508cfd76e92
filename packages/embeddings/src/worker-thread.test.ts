import { createRespawningThread } from './worker-thread';

const create = () =>
  createRespawningThread<{ ends?: boolean }, { threadId: number }>('../test-support/mortal-thread.mjs', {});

test('a thread that ended is started again by who asks next; what it was asked is lost', async () => {
  const thread = create();
  const { threadId } = await thread.ask({});
  expect((await thread.ask({})).threadId).toBe(threadId);
  await expect(Promise.all([thread.ask({ ends: true }), thread.ask({})])).rejects.toThrow('the thread ended');
  await thread.ready();
  expect((await thread.ask({})).threadId).toBeGreaterThan(threadId);
  await thread.close();
});

test('a thread that was closed is not started again', async () => {
  const thread = create();
  await thread.ready();
  await thread.close();
  await expect(thread.ready()).rejects.toThrow('closed');
  await expect(thread.ask({})).rejects.toThrow('closed');
});
