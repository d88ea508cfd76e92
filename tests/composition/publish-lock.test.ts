import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startScriptRunner } from '../support/script-runner';
import { subgraphNames } from '../support/supergraph-yaml';
import { withSchemaTree } from './check-schema-fixture';

const runner = startScriptRunner();
afterAll(() => runner.close());

test('publish-schema fails and writes nothing if another publisher holds the lock file of the registry folder for 10 seconds', async () => {
  await withSchemaTree(runner, async (tree) => {
    const folder = join(tree.folder, 'registry');
    mkdirSync(folder);
    writeFileSync(join(folder, '.publishing'), 'process 1\n');
    const { status, output } = await tree.script('publish-schema.mjs', [...subgraphNames, '--registry', folder]);
    expect([status, output]).toEqual([1, expect.stringContaining('.publishing has existed for 10 seconds')]);
    expect(readdirSync(folder)).toEqual(['.publishing']);
  });
});
