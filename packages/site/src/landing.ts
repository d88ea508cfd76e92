import type { IncomingMessage } from 'node:http';
import type { Environment } from '@lectern/keys';
import type { Route } from '@lectern/serving';
import { createGetRoute, type Html, html, sendPage } from './page';

const query = '{ passage(reference: "John 11:35") { text } }';

/** The first query in four languages. `file` is where a user saves it, null for a shell command. */
const examplesFor = (endpoint: string) => [
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

/** Renders the examples with radio buttons. The style sheet shows the example of the checked button. */
function renderFirstQuery(endpoint: string): Html {
  const examples = examplesFor(endpoint);
  return html`<section class="first-query" aria-labelledby="first-query">
<h2 id="first-query">Your first query</h2>
<p>Send GraphQL with <code>POST</code> to <code>${endpoint}</code>, with your <a href="/api-keys/request">key</a> in <code>LECTERN_KEY</code>:</p>
<fieldset class="languages"><legend class="visually-hidden">Language of the example</legend>
${examples.map(({ id, language }, index) => html`<label><input type="radio" name="language" value="${id}"${index === 0 && html` checked`}>${language}</label>`)}
</fieldset>
${examples.map(({ id, language, file, code }) => html`<pre class="example" tabindex="0" id="example-${id}" aria-label="The query in ${language}${file !== null && `, ${file}`}"><code>${code}</code></pre>`)}
<p class="answer">Response: <code>{"data":{"passage":{"text":"Jesus wept."}}}</code></p>
</section>\n`;
}

export interface LandingPageOptions {
  /** The title of the page. Empty for Lectern's own page, which describes its Bible texts. */
  title: string;
  environment: Environment;
  /** The maximum size of an operation. `fields` counts fields and conditions after fragments are expanded. */
  limits: { tokens: number; depth: number; complexity: number; fields: number };
  /** The maximum number of requests per address and minute, per key and minute, and per key and day. 0: no limit. */
  rateLimits: { perMinute: number; keyPerMinute: number; perDay: number };
}

const lead = html`<p class="lead">Verses, passages and whole chapters in several translations, full-text search, search by meaning, a concordance with Strong's numbers, topics, cross references and commentaries. Read-only, one endpoint.</p>`;

/** Creates the route `/`: a description of the service, a first query, links, and the limits. */
export const createLandingRoute = (options: LandingPageOptions): Route => {
  const isLectern = options.title === '';
  const title = isLectern ? 'Bible text over GraphQL' : options.title;
  return createGetRoute('/', (request, response) => {
    sendPage(response, 200, {
      title,
      styles: ['/assets/landing.css'],
      main: html`<h1>${title}</h1>
${isLectern && lead}
<div class="start">
${isLectern && renderFirstQuery(`${originOf(request)}/graphql`)}
${renderFirstSteps(isLectern ? [...firstSteps, ...lecternSteps] : firstSteps)}
</div>
${renderKeys(options)}
${isLectern && renderReader()}
${renderLimits(options)}
<h2>Versions</h2>
<p>The address has no version. The schema only grows: no field is removed and no type changes without notice on the page of <a href="/changes">changes</a>, which is also an <a href="/changes.atom">Atom feed</a>. The <a href="/reference">reference</a> and the <a href="/schema.graphql">SDL</a> for your tools are generated from the schema that is running now.</p>`,
    });
  });
};

/** The pages to open and the commands to run first. The commands run in a checkout of the repository. */
const firstSteps: readonly (readonly [name: Html, text: Html])[] = [
  [html`<a class="button" href="/api-keys/request">Get a key</a>`, html`Every request needs one.`],
  [html`<a href="/explorer">Explorer</a>`, html`Run queries in the browser, with examples.`],
  [
    html`<a href="/reference">Reference</a>`,
    html`Types, fields and costs. <a href="/schema.graphql" download>Download the schema</a>.`,
  ],
  [html`<a href="/up">Status</a>`, html`Is it up, and which version? What <a href="/changes">changed</a>?`],
];

/** Further steps, for Lectern's own graph. */
const lecternSteps: typeof firstSteps = [
  [html`<b>Typed client</b>`, html`For TypeScript and JavaScript: <code>packages/client</code>`],
  [html`<a href="#reader">Example reader</a>`, html`An app to copy: <code>npm run example:reader</code>`],
  [html`<b>AI assistants</b>`, html`Tools over MCP: <code>npm run mcp</code>, <code>docs/mcp.md</code>`],
];

const renderFirstSteps = (steps: typeof firstSteps): Html => html`<section class="steps" aria-labelledby="steps">
<h2 id="steps">Start here</h2>
<dl>${steps.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>\n`)}</dl>
</section>\n`;

const renderKeys = ({ environment }: LandingPageOptions): Html => html`<h2>Keys</h2>
<p>Every request needs a key. This is the <strong>${environment}</strong> environment: its keys begin with <code>svc_${environment}_</code>, and keys that begin with <code>svc_${environment === 'test' ? 'live' : 'test'}_</code> are not valid here. <a href="/api-keys/request">Request one</a>: a person reviews each request, and the decision comes by email. Keep a key in an environment variable on a server. Never put it into a repository or into code that browsers load.</p>\n`;

// The pictures show invented words. UPDATE_PICTURES=1 npx jest tests/examples/reader.test writes them.
const renderReader = (): Html => html`<h2 id="reader">A reader to copy</h2>
<p>The repository of Lectern has a Bible reader for the browser in <code>examples/reader</code>: chapters as printed, two translations side by side, search, word study, and reading without a network. Beside a running service, this command starts it:</p>
<pre tabindex="0" aria-label="The command that starts the reader"><code>npm run example:reader</code></pre>
<picture><source media="(prefers-color-scheme: dark)" srcset="/assets/reader-dark.png"><img class="picture" src="/assets/reader.png" width="820" height="590" loading="lazy" alt="The reader shows a chapter with a title in italics, lines of poetry, a note, a heading, and words in red"></picture>\n`;

const renderLimits = ({ limits, rateLimits }: LandingPageOptions): Html => html`<h2>Limits</h2>
<dl class="details">
<dt>Depth</dt><dd>A query may be at most ${formatCount(limits.depth)} levels deep.</dd>
<dt>Complexity</dt><dd>A query may cost at most ${formatCount(limits.complexity)}. A field costs 1 unless the <a href="/reference">reference</a> states another cost. Whatever its cost, a query may have at most ${formatCount(limits.fields)} fields and conditions, counted after fragments are expanded.</dd>
<dt>Length</dt><dd>A query may have at most ${formatCount(limits.tokens)} tokens.</dd>
<dt>Requests</dt><dd>${describeRateLimits(rateLimits)}</dd>
</dl>
<p>A request above a limit is rejected with an error that names the limit. Lists have a maximum length of their own: if you request more items, you receive the maximum.</p>\n`;

/** Returns the limits of requests in sentences. */
export function describeRateLimits({ perMinute, keyPerMinute, perDay }: LandingPageOptions['rateLimits']): string {
  const own = 'unless it has a limit of its own';
  const sentences = [
    perMinute > 0 && `A client address may make ${formatCount(perMinute)} requests a minute.`,
    keyPerMinute > 0 && `A key may make ${formatCount(keyPerMinute)} requests a minute, ${own}.`,
    perDay > 0 && `A key may make ${formatCount(perDay)} requests a day (UTC), ${own}.`,
  ];
  return sentences.filter(Boolean).join(' ') || 'The number of requests is not limited here.';
}

const formatCount = (count: number): string => count.toLocaleString('en');

/** The origin as this client sees it. It sets Host and X-Forwarded-Proto, so nobody else must see the result. */
export function originOf({ headers }: IncomingMessage): string {
  const host = headers.host !== undefined && /^[\w.:[\]-]+$/.test(headers.host) ? headers.host : 'localhost';
  return `${headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'}://${host}`;
}
