import { startScriptRunner } from '../support/script-runner';
import { subgraphNames } from '../support/supergraph-yaml';
import type { SchemaTree } from './check-schema-fixture';
import { againstSupergraph, allowedBreaksFile, textSchema, withSchemaTree } from './check-schema-fixture';

const runner = startScriptRunner();
afterAll(() => runner.close());
const withTree = (use: (tree: SchemaTree) => Promise<void>) => withSchemaTree(runner, use);

const allowance = (change: string, until: string) =>
  `- change: ${JSON.stringify(change)}\n  until: ${until}\n  reason: agreed with the reading applications\n`;
const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

const removedField = "Field 'dialects' was removed from object type 'Query'";
/**
 * Adds a field, composes the supergraph with this field, and removes the field again.
 * contract.graphql and the operations of clients do not contain the field.
 */
const removeNewField = async (tree: SchemaTree) => {
  tree.edit(textSchema, 'type Query {\n', 'type Query {\n  "Ways to speak a language."\n  dialects: [Language!]\n\n');
  await tree.compose();
  tree.edit(textSchema, '  "Ways to speak a language."\n  dialects: [Language!]\n\n', '');
};

test('check-schema passes and reports a breaking change that allowed-breaks.yaml allows up to the current day', async () => {
  await withTree(async (tree) => {
    await removeNewField(tree);
    expect(await tree.check(...againstSupergraph)).toMatchObject({
      status: 1,
      output: expect.stringContaining(removedField),
    });
    tree.write(allowedBreaksFile, allowance(removedField, inDays(0)));
    const { status, output } = await tree.check(...againstSupergraph);
    expect(status).toBe(0);
    expect(output).toContain('1 breaking change allowed for a time');
    expect(output).toContain(`Until ${inDays(0)}: agreed with the reading applications`);
  });
});

test.each([
  ['an entry that expired yesterday', allowance(removedField, inDays(-1)), `:1: expired on ${inDays(-1)}`],
  ['an entry whose last day does not exist', allowance(removedField, '2026-02-30'), 'until must be a day'],
  [
    'an entry whose last day is over 180 days ahead',
    allowance(removedField, '2999-01-01'),
    'until may lie 180 days ahead',
  ],
  ['an entry without a reason', `- change: "${removedField}"\n  until: ${inDays(3)}\n`, 'reason is missing'],
  ['an entry with an unknown key', `${allowance(removedField, inDays(3))}  untill: x\n`, 'unknown key "untill"'],
  ['text that is not YAML', '- change: [', ':1: '],
])('check-schema fails if allowed-breaks.yaml has %s, and reports the line and the reason', async (_, text, words) => {
  await withTree(async (tree) => {
    tree.write(allowedBreaksFile, text);
    const { status, output } = await tree.check();
    expect(status).toBe(1);
    const reported = output.split('\n').find((line) => line.startsWith(`  ${allowedBreaksFile}:`));
    expect(reported).toMatch(/:\d+: /);
    expect(reported).toContain(words);
  });
});

test('check-schema fails if allowed-breaks.yaml is not a list, and prints the reason', async () => {
  await withTree(async (tree) => {
    tree.write(allowedBreaksFile, 'dialects: true\n');
    expect(await tree.check()).toMatchObject({
      status: 1,
      output: expect.stringContaining(`  ${allowedBreaksFile}: must be a list`),
    });
  });
});

test('check-schema fails on an expired entry of allowed-breaks.yaml, and passes with a message about an unused one', async () => {
  await withTree(async (tree) => {
    tree.write(allowedBreaksFile, allowance(removedField, inDays(-1)));
    expect(await tree.check()).toMatchObject({ status: 1, output: expect.stringContaining('expired on') });
    tree.write(allowedBreaksFile, allowance(removedField, inDays(9)));
    expect(await tree.check(...againstSupergraph)).toMatchObject({
      status: 0,
      output: expect.stringContaining('Allowances that nothing needs any more'),
    });
  });
});

test('check-schema fails on a breaking change if allowed-breaks.yaml allows only another change', async () => {
  await withTree(async (tree) => {
    await removeNewField(tree);
    tree.write(allowedBreaksFile, allowance("Field 'languages' was removed from object type 'Query'", inDays(9)));
    expect((await tree.check(...againstSupergraph)).status).toBe(1);
  });
});

test('publish-schema prints the entry for allowed-breaks.yaml that a breaking change needs, and then publishes it', async () => {
  await withTree(async (tree) => {
    const field = 'type Query {\n  "A field of a test."\n  removedLater: Int\n\n';
    const publish = (...names: string[]) => tree.script('publish-schema.mjs', [...names, '--registry', 'registry']);
    tree.edit(textSchema, 'type Query {\n', field);
    expect(await publish(...subgraphNames)).toMatchObject({ status: 0 });
    tree.edit(textSchema, field, 'type Query {\n');
    const { status, output } = await publish('text');
    const [shown = ''] = /^ *- change: .*\n *until: .*\n *reason: .*$/m.exec(output) ?? [];
    expect([status, shown]).toEqual([1, expect.stringContaining("'removedLater' was removed")]);
    tree.write(allowedBreaksFile, `${shown.replace('YYYY-MM-DD', inDays(1))}\n`);
    expect(await publish('text')).toMatchObject({ status: 0 });
    expect(await publish('text')).toMatchObject({ output: expect.stringContaining('is published already') });
  });
});
