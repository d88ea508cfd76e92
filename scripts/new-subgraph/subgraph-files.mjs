import { fillTemplate, templatesIn } from './fill-templates.mjs';

/** Returns the text of each new file of a subgraph, by path. */
export const newSubgraphFiles = ({ name, values }) =>
  new Map(
    Object.entries({
      ...Object.fromEntries(
        templatesIn('service').map((file) => [`services/${name}/${file}`, fillTemplate(`service/${file}`, values)]),
      ),
      [`deploy/kubernetes/${name}.yaml`]: fillTemplate('kubernetes.yaml', values),
      [`.github/workflows/${name}.yml`]: fillTemplate('workflow.yml', values),
    }),
  );
