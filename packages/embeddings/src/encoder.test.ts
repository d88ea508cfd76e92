import { createEncoder } from './encoder';

test('the encoder rejects each call of encode with the reason if its worker thread cannot be started', async () => {
  // A symbol cannot be sent to a thread, so `new Worker` throws an error. It also throws if the operating system allows
  // no further thread.
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
