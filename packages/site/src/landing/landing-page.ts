import type { IncomingMessage } from 'node:http';
import type { Environment } from '@lectern/keys';
import type { Html } from '../html';
import { html } from '../html';
import { sendPage } from '../render-page';
import type { Route } from '../route';
import { createGetRoute } from '../route';

export interface LandingPageOptions {
  environment: Environment;
  /** The limits on one query. `fields` counts fields and conditions after fragments are expanded. */
  limits: { tokens: number; depth: number; complexity: number; fields: number };
  /**
   * The maximum numbers of requests per client address and minute, per key and minute, and per key
   * and day. 0 means no limit.
   */
  rateLimits: { perMinute: number; keyPerMinute: number; perDay: number };
}

const sampleQuery = '{ verse(book: "John", chapter: 11, verse: 35) { reference text } }';
const sampleResponse = '{"data":{"verse":{"reference":"John 11:35","text":"Jesus wept."}}}';

/** The route `/`: what the service is, how to send a request, and its limits. */
export const createLandingRoute = (options: LandingPageOptions): Route =>
  createGetRoute('/', (request, response) => {
    sendPage(response, 200, {
      title: 'Bible text over GraphQL',
      main: html`<h1>Bible text over GraphQL</h1>
<p class="lead">Lectern answers questions about the text of the Bible: verses, passages and whole chapters in several translations, full-text search, search by meaning, a concordance with Strong's numbers, topics, cross references, commentaries, and references the way people write them. It is read-only, and there is one endpoint.</p>
<p class="actions"><a class="button" href="/explorer">Open the explorer</a> <a href="/reference">Read the reference</a> <a href="/api-keys/request">Request a key</a> <a href="/concordance">Look up a word in the concordance</a></p>

${renderSampleRequest(`${originOf(request)}/graphql`)}
${renderKeys(options)}
${renderLimits(options)}
<h2>Versions</h2>
<p>The address has no version. The schema only grows: no field is removed and no type changes without notice on the page of <a href="/changes">changes</a>, which is also an <a href="/changes.atom">Atom feed</a>. The <a href="/reference">reference</a> and the <a href="/reference.graphql">SDL</a> for your tools are generated from the schema that is running now.</p>
<p class="quiet"><a href="/up">Is it up?</a></p>`,
    });
  });

const renderSampleRequest = (endpoint: string): Html => html`<h2>Send a request</h2>
<p>Send GraphQL with <code>POST</code> to <code>${endpoint}</code>, with your key in the <code>Authorization</code> header:</p>
<pre tabindex="0" aria-label="A request with curl"><code id="sample">curl ${endpoint} \\
  -H "Authorization: Bearer $LECTERN_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ query: sampleQuery })}'</code></pre>
<pre tabindex="0" aria-label="The response"><code>${sampleResponse}</code></pre>
`;

const renderKeys = ({ environment }: LandingPageOptions): Html => html`<h2>Keys</h2>
<p>Every request needs a key. This is the <strong>${environment}</strong> environment: its keys begin with <code>svc_${environment}_</code>, and keys that begin with <code>svc_${environment === 'test' ? 'live' : 'test'}_</code> are not valid here. <a href="/api-keys/request">Request one</a>: a person reviews each request, and the decision comes by email. Keep a key in an environment variable on a server. Never put it into a repository or into code that browsers load.</p>
`;

const renderLimits = ({ limits, rateLimits }: LandingPageOptions): Html => html`<h2>Limits</h2>
<dl class="details">
<dt>Depth</dt><dd>A query may be at most ${formatCount(limits.depth)} levels deep.</dd>
<dt>Complexity</dt><dd>A query may cost at most ${formatCount(limits.complexity)}. A field costs 1 unless the <a href="/reference">reference</a> states another cost. Whatever its cost, a query may have at most ${formatCount(limits.fields)} fields and conditions, counted after fragments are expanded.</dd>
<dt>Length</dt><dd>A query may have at most ${formatCount(limits.tokens)} tokens.</dd>
<dt>Requests</dt><dd>${renderRateLimits(rateLimits)}</dd>
</dl>
<p>A request above a limit is rejected with an error that names the limit. Lists have a maximum length of their own: if you request more items, you receive the maximum.</p>
`;

function renderRateLimits({ perMinute, keyPerMinute, perDay }: LandingPageOptions['rateLimits']): Html {
  const sentences = [
    ...(perMinute === 0 ? [] : [`A client address may make ${formatCount(perMinute)} requests a minute.`]),
    ...(keyPerMinute === 0
      ? []
      : [`A key may make ${formatCount(keyPerMinute)} requests a minute, unless it has a limit of its own.`]),
    ...(perDay === 0
      ? []
      : [`A key may make ${formatCount(perDay)} requests a day (UTC), unless it has a limit of its own.`]),
  ];
  return html`${sentences.length === 0 ? 'The number of requests is not limited here.' : sentences.join(' ')}`;
}

const formatCount = (count: number): string => count.toLocaleString('en');

/**
 * Returns the origin under which the reader sees this server. The reader or a proxy sets both
 * headers, so the origin is shown to this reader only.
 */
function originOf({ headers }: IncomingMessage): string {
  const host = headers.host !== undefined && /^[\w.:[\]-]+$/.test(headers.host) ? headers.host : 'localhost';
  return `${headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'}://${host}`;
}
