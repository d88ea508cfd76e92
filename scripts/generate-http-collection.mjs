import { join } from 'node:path';
import { parse, print } from 'graphql';
import { readExamples } from '../packages/site/read-examples.mjs';
import { root } from './install-and-build.mjs';

export const httpCollectionFile = join(root, 'docs/examples.http');

const head = `# The example queries of the API. \`npm run docs\` writes this file from the examples.graphql of each service.
# Open it with the REST Client of Visual Studio Code, the HTTP Client of JetBrains or httpYac.
# Enter the address of your service and your key. Keep the key out of your repository.
@url = http://127.0.0.1:4000/graphql
@key = svc_test_YOUR_KEY
`;

/** Generates an .http file with one request for each example query of the services in a folder. */
export async function generateHttpCollection(folder = join(root, 'services')) {
  const services = await readExamples(folder);
  const requests = services.flatMap(({ service, examples }) => examples.map((example) => request(service, example)));
  return [head, ...requests].join('\n');
}

const request = (service, { title, description, query }) => `### ${service}: ${title}
# ${description}
POST {{url}}
Authorization: Bearer {{key}}
Content-Type: application/json

${JSON.stringify({ query: oneLine(query) }, null, 2)}
`;

/** JSON texts have no line breaks. The examples have no block strings, so every line break is between tokens. */
const oneLine = (query) => print(parse(query)).replaceAll(/\n\s*/g, ' ');
