import { createEncoder } from './encoder';
import { createRespawningThread } from './respawning-thread';

test('the encoder of embeddings rejects every call with the reason if its worker thread cannot start', async () => {
  // A symbol cannot be sent to a thread, so `new Worker` throws an error. It also throws if the
  // operating system allows no further thread.
  const model = {
    modelFile: 'none',
    tokenizerFile: 'none',
    tokenizerConfigFile: null,
    pooling: 'mean' as const,
    maxTokens: Symbol('no number') as unknown as number,
    adapterPrefix: null,
  };
  const encoder = createEncoder({ model, cores: 1, queueLength: 10 });
  for (let time = 0; time < 2; time += 1) {
    await expect(encoder.encode(['a text'], { exact: true })).rejects.toThrow(
      /^the model none cannot be loaded: .*could not be cloned/,
    );
  }
  await encoder.close();
});

const create = () =>
  createRespawningThread<{ ends?: boolean }, { threadId: number }>('../test-support/thread-id-worker.mjs', {});

test('if the thread of createRespawningThread ends, pending requests are rejected, and the next starts a new thread', async () => {
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

test('after close, the worker thread of createRespawningThread rejects every request with the error "closed"', async () => {
  const thread = create();
  await thread.ready();
  await thread.close();
  await expect(thread.ready()).rejects.toThrow('closed');
  await expect(thread.send({})).rejects.toThrow('closed');
});
