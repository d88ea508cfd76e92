import type { IncomingMessage } from 'node:http';
import type { Environment } from '@lectern/keys';
import type { Html } from '../html';
import { html } from '../html';
import { sendPage } from '../page';
import type { Route } from '../route';
import { createGetRoute } from '../static-content';

export interface LandingPageOptions {
  environment: Environment;
  /** The limits of one query. `fields` counts the fields after fragments are expanded. */
  limits: { tokens: number; depth: number; complexity: number; fields: number };
  /** Requests per address and minute, and per key and day; 0 means no limit. */
  rateLimits: { perMinute: number; perDay: number };
}

const sampleQuery = '{ verse(book: "John", chapter: 11, verse: 35) { reference text } }';
const sampleAnswer = '{"data":{"verse":{"reference":"John 11:35","text":"Jesus wept."}}}';

/** The first page: what this is, how to ask it, what it allows. */
export const createLandingRoute = ({ environment, limits, rateLimits }: LandingPageOptions): Route =>
  createGetRoute('/', (request, response) => {
    const endpoint = `${originOf(request)}/graphql`;
    sendPage(response, 200, {
      title: 'Bible text over GraphQL',
      main: html`<h1>Bible text over GraphQL</h1>
<p class="lead">Lectern answers questions about the text of the Bible: verses, passages and whole chapters in several translations, full-text search, search by meaning, a concordance with Strong's numbers, and references the way people write them. It is read-only, and there is one endpoint.</p>
<p class="actions"><a class="button" href="/explorer">Open the explorer</a> <a href="/reference">Read the reference</a> <a href="/api-keys/request">Request a key</a></p>

<h2>Ask</h2>
<p>Send GraphQL with <code>POST</code> to <code>${endpoint}</code>, and your key with it:</p>
<pre tabindex="0" aria-label="A request with curl"><code id="sample">curl ${endpoint} \\
  -H "Authorization: Bearer $LECTERN_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ query: sampleQuery })}'</code></pre>
<pre tabindex="0" aria-label="Its answer"><code>${sampleAnswer}</code></pre>

<h2>Keys</h2>
<p>Every request needs a key. This is the <strong>${environment}</strong> environment: its keys begin with <code>svc_${environment}_</code>, and those with <code>svc_${environment === 'test' ? 'live' : 'test'}_</code> are not valid here. <a href="/api-keys/request">Ask for one</a>; a person looks at each request, and the outcome comes by email. Keep a key on a server, in its environment, and out of repositories and of what browsers load.</p>

<h2>Limits</h2>
<dl class="facts">
<dt>Depth</dt><dd>A query may be ${count(limits.depth)} levels deep.</dd>
<dt>Complexity</dt><dd>A query may cost ${count(limits.complexity)}. A field costs 1 unless the <a href="/reference">reference</a> names its price. However little they cost, its fields are at most ${count(limits.fields)}, fragments unfolded.</dd>
<dt>Length</dt><dd>A query may have ${count(limits.tokens)} tokens.</dd>
<dt>Requests</dt><dd>${requests(rateLimits)}</dd>
</dl>
<p>A request above a limit is refused with an error that says which. Lists have limits of their own: asked for more, they give the most they may.</p>

<h2>Versions</h2>
<p>There is no version in the address. The schema grows; nothing is taken out of it or changes its type without notice. The <a href="/reference">reference</a> is made of the schema that runs here now, and so is the <a href="/reference.graphql">SDL</a> for your tools.</p>
<p class="quiet"><a href="/up">Is it up?</a></p>`,
    });
  });

function requests({ perMinute, perDay }: LandingPageOptions['rateLimits']): Html {
  if (perMinute === 0 && perDay === 0) return html`Their number is not limited here.`;
  const minute = html`An address may make ${count(perMinute)} requests a minute.`;
  const day = html`A key has ${count(perDay)} requests a day (UTC), unless another number was agreed on.`;
  return html`${perMinute === 0 ? null : minute} ${perDay === 0 ? null : day}`;
}

const count = (value: number): string => value.toLocaleString('en');

/**
 * Where the reader sees this server. Both headers are the reader's own or its proxy's; they are shown to the reader alone and believed for
 * nothing else.
 */
function originOf({ headers }: IncomingMessage): string {
  const host = headers.host !== undefined && /^[\w.:[\]-]+$/.test(headers.host) ? headers.host : 'localhost';
  return `${headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'}://${host}`;
}
