import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLongRun, repositoryRoot } from '@lectern/testing';
import { searchSchema, textSchema, withSchemaTree } from '../composition/check-schema-fixture';
import { waitUntil } from '../support/processes';
import { openRegistryGateway } from '../support/registry-gateway';
import { repeatRequests } from '../support/repeat-requests';
import { startSchemaRegistry } from '../support/schema-registry';
import { startScriptRunner } from '../support/script-runner';

/*
 * The steps of "Moving a field" in docs/subgraphs.md with a running gateway and simulated subgraphs:
 * `Query.readingTip` moves from the text subgraph to the search subgraph.
 */

const page = readFileSync(join(repositoryRoot, 'docs/subgraphs.md'), 'utf8');
const [, section = ''] = page.split('## Moving a field');
const [added = '', labelled = '', overridden = ''] = [...section.matchAll(/```graphql\n([^]*?)```/g)].map(
  ([, sdl = '']) => /^ *( {2}readingTip.*)$/m.exec(sdl)?.[1] ?? '',
);

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

const runner = startScriptRunner();
afterAll(() => runner.close());

/**
 * The values of EXECUTION_STRATEGY to test: the default `auto`, and in the long run also
 * `standard`, with which @apollo/gateway executes all operations.
 */
const strategies = isLongRun ? (['auto', 'standard'] as const) : (['auto'] as const);

test.each(strategies)(
  'no request fails while a field moves from one subgraph to another with @override (EXECUTION_STRATEGY=%s)',
  (executionStrategy) =>
    withSchemaTree(runner, async (tree) => {
      expect([added, labelled, overridden]).not.toContain('');
      const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
      const registry = await startSchemaRegistry();
      /** The names of the subgraphs whose deployed version has the field `readingTip`. */
      const deployed = new Set<string>();
      const gateway = await openRegistryGateway(registry, {
        copyFolder: folder,
        executionStrategy,
        respond: async (name) => {
          if (deployed.has(name)) return { data: { readingTip: name } };
          return { errors: [{ message: `Cannot query field "readingTip" on type "Query" of ${name}.` }] };
        },
      });
      const answer = async () => (await gateway.query('{ readingTip }')).text;
      const from = (name: string) => `{"data":{"readingTip":"${name}"}}`;
      const publish = async (field: string, file: string, before = '') => {
        if (before === '') tree.edit(file, 'type Query {\n', `type Query {\n  "A tip."\n${field}\n\n`);
        else tree.edit(file, field === '' ? `  "A tip."\n${before}\n\n` : before, field);
        await tree.compose();
        const supergraph = readFileSync(join(tree.folder, 'supergraph.graphql'), 'utf8');
        registry.put('supergraph.graphql', supergraph);
        const isServed = async () => {
          const { supergraph: served } = await gateway.ready();
          return served.sha256 === digestOf(supergraph);
        };
        await waitUntil(isServed);
      };
      try {
        // 1. The text subgraph is deployed with the field, then its schema is published.
        deployed.add('text');
        await publish(added, textSchema);
        expect(await answer()).toBe(from('text'));
        const answers = new Set<string>();
        const stopRequests = repeatRequests([async () => answers.add(await answer())]);
        // 2. The search subgraph is deployed with the field, and its schema is published with
        // `@override(from:, label:)`. Because of the label, requests still go to the text subgraph.
        tree.edit(searchSchema, '"@key", ', '"@key", "@override", ');
        deployed.add('search');
        await publish(labelled, searchSchema);
        expect(await answer()).toBe(from('text'));
        // 3. The schema is published without the label. Requests now go to the search subgraph.
        await publish(overridden, searchSchema, labelled);
        expect(await answer()).toBe(from('search'));
        // 4. The field is removed from the text subgraph: first from its schema, then from its
        // deployed version. Then `@override` is removed from the search subgraph.
        await publish('', textSchema, added);
        deployed.delete('text');
        await publish(added, searchSchema, overridden);
        expect(await answer()).toBe(from('search'));
        await stopRequests();
        expect([...answers].sort()).toEqual([from('search'), from('text')]);
      } finally {
        await gateway.close();
        registry.close();
        rmSync(folder, { recursive: true, force: true });
      }
    }),
);
