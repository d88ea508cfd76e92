// Publishes an earlier supergraph again.
import { failure, runCommand } from './command-line.mjs';
import { locations, openRegistry } from './schema-registry/open-registry.mjs';
import { nextTime, readEarlier, readPublished, replacePublished } from './schema-registry/published-schemas.mjs';

const maxListed = 20;

await runCommand({
  name: 'npm run rollback:schema --',
  description: 'Publishes the schemas and the supergraph that were published before the current ones.',
  options: [
    ['--registry <location>', 'the registry, in place of SCHEMA_REGISTRY'],
    ['--to <time>', 'the time of the publication to go back to, in place of the one before'],
    ['--list', 'list what was published, newest first, and change nothing'],
  ],
  help: `${locations}

Run it twice to go back two publications. Nothing is compared with clients' operations: a rollback always removes what is
newer.
Exit status: 0 rolled back, 1 failed, 2 invalid command line.`,
  run: async ({ registry, to, list = false }) => {
    const store = openRegistry(registry || process.env['SCHEMA_REGISTRY']);
    try {
      return await (list ? listPublished(store) : rollBack(store, to));
    } finally {
      store.close?.();
    }
  },
});

/** Lists what was published, newest first, with what a rollback has removed since. */
async function listPublished(store) {
  let { state } = await requirePublished(store);
  // The next state that is a part of the current one's past. What was published after it was rolled back.
  let kept = state.published;
  for (let count = 1; ; count += 1) {
    const isKept = state.published === kept;
    if (isKept) kept = state.previous;
    const versions = Object.entries(state.subgraphs).map(([name, { version }]) => `${name} ${version}`);
    const note = [
      ...(state.restored === undefined ? [] : [`${state.restored} again`]),
      ...(isKept || state.published === kept ? [] : ['rolled back']),
    ];
    console.log(`${state.published}  ${versions.join(', ')}${note.length > 0 ? `  (${note.join(', ')})` : ''}`);
    const before = state.replaced === undefined ? state.previous : state.replaced;
    if (before === null || count === maxListed) return 0;
    state = await readEarlier(store, before);
  }
}

async function rollBack(store, to) {
  const { state: current } = await requirePublished(store);
  const target = to ?? current.previous;
  if (target === null) throw failure(`${store.name}: nothing was published before ${current.published}.`);
  const earlier = await readEarlier(store, target);
  const { state } = await replacePublished(store, {
    message: `Roll back to ${target}`,
    change(before) {
      if (before?.published !== current.published)
        throw failure('Somebody published meanwhile. Look at --list, and run the command again.');
      // The new state has the `previous` of the earlier state, so the next rollback goes back further.
      const published = nextTime(current.published, Date.now());
      return { ...earlier, published, replaced: current.published, restored: target };
    },
  });
  console.log(`${store.name}: published the schemas of ${target} again, at ${state.published}.`);
  return 0;
}

async function requirePublished(store) {
  const published = await readPublished(store);
  if (!published) throw failure(`${store.name}: nothing is published.`);
  return published;
}
