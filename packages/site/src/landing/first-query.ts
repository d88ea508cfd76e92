import type { Html } from '../html';
import { html } from '../html';

/** The response to the query that `renderFirstQuery` shows. */
export const sampleResponse = '{"data":{"passage":{"text":"Jesus wept."}}}';

const query = '{ passage(reference: "John 11:35") { text } }';

interface Example {
  /** The id of the example on the page. */
  readonly id: string;
  readonly language: string;
  /** The file to save the example in. Null for a command. */
  readonly file: string | null;
  readonly code: string;
}

/**
 * The same query in four languages. Each reads the key from the environment variable LECTERN_KEY.
 */
const examplesFor = (endpoint: string): readonly Example[] => [
  {
    id: 'curl',
    language: 'curl',
    file: null,
    code: `curl ${endpoint} \\
  -H "Authorization: Bearer $LECTERN_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ query })}'`,
  },
  {
    id: 'javascript',
    language: 'JavaScript',
    file: 'passage.mjs',
    code: `const query = \`${query}\`;
const response = await fetch('${endpoint}', {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.LECTERN_KEY}\`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({ query }),
});
console.log(await response.text());`,
  },
  {
    id: 'typescript',
    language: 'TypeScript',
    file: 'passage.ts',
    code: `// npm pack -w packages/client creates the package to install.
import { createLecternClient, passage } from '@lectern/client';

const lectern = createLecternClient({
  url: '${endpoint}',
  key: process.env.LECTERN_KEY,
});
const { text } = await passage(lectern, { reference: 'John 11:35' });
console.log(text);`,
  },
  {
    id: 'python',
    language: 'Python',
    file: 'passage.py',
    code: `import json, os, urllib.request

query = '${query}'
request = urllib.request.Request(
    "${endpoint}", json.dumps({"query": query}).encode()
)
request.add_header("Authorization", f"Bearer {os.environ['LECTERN_KEY']}")
request.add_header("Content-Type", "application/json")
print(urllib.request.urlopen(request).read().decode())`,
  },
];

/**
 * Renders the first query in four languages. The style sheet shows the example of the checked radio
 * button, so the choice needs no script.
 */
export function renderFirstQuery(endpoint: string): Html {
  const examples = examplesFor(endpoint);
  return html`<section class="first-query" aria-labelledby="first-query">
<h2 id="first-query">Your first query</h2>
<p>Send GraphQL with <code>POST</code> to <code>${endpoint}</code>, with your <a href="/api-keys/request">key</a> in <code>LECTERN_KEY</code>:</p>
<fieldset class="languages"><legend class="visually-hidden">Language of the example</legend>
${examples.map(({ id, language }, index) => html`<label><input type="radio" name="language" value="${id}"${index === 0 ? html` checked` : null}>${language}</label>`)}
</fieldset>
${examples.map(({ id, language, file, code }) => html`<pre class="example" tabindex="0" id="example-${id}" aria-label="The query in ${language}${file === null ? null : `, ${file}`}"><code>${code}</code></pre>`)}
<p class="answer">Response: <code>${sampleResponse}</code></p>
</section>
`;
}
