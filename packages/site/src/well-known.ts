import { type Route, sendText } from '@lectern/serving';
import { describeRateLimits, type LandingPageOptions, originOf } from './landing';
import { createGetRoute, sendNotFoundPage } from './page';
import { readAsset } from './static';

export interface WellKnownOptions extends LandingPageOptions {
  /** The address for reports of security problems, such as mailto:security@example.org. Empty for none. */
  securityContact: string;
}

const robots = 'User-agent: *\nDisallow: /admin\nDisallow: /documents/\nDisallow: /graphql\n';
const plainText = 'text/plain; charset=utf-8';
const monthMs = 30 * 24 * 3_600_000;

/** Creates the routes of the files that programs look for: `/robots.txt`, `/llms.txt`, `/favicon.ico`, security.txt. */
export function createWellKnownRoutes(options: WellKnownOptions): Route[] {
  const { title, securityContact, limits } = options;
  const cached = ['Cache-Control', 'public, max-age=300'];
  const template = readAsset('llms.txt').toString();
  const icon = readAsset('favicon.ico');
  const facts = { ...limits, environment: options.environment, rates: describeRateLimits(options.rateLimits) };
  return [
    createGetRoute('/robots.txt', (_, response) => sendText(response, 200, robots, cached, plainText)),
    createGetRoute('/favicon.ico', (_, response) => sendText(response, 200, icon, cached, 'image/x-icon')),
    createGetRoute('/llms.txt', (request, response) => {
      if (title !== '') return sendNotFoundPage(response);
      const values = new Map(Object.entries({ ...facts, origin: originOf(request) }));
      const text = template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values.get(name)));
      return sendText(response, 200, text, ['Cache-Control', 'no-cache'], plainText);
    }),
    createGetRoute('/.well-known/security.txt', (_, response) => {
      if (securityContact === '') return sendNotFoundPage(response);
      // RFC 9116 requires a date in the future.
      const expires = new Date(Date.now() + monthMs).toISOString();
      return sendText(response, 200, `Contact: ${securityContact}\nExpires: ${expires}\n`, cached, plainText);
    }),
  ];
}
