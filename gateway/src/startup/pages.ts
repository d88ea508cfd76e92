import { errors } from '@lectern/errors';
import type { Environment, Keys } from '@lectern/keys';
import { createAdminPages, createKeyRequestPages, createPublicPages } from '@lectern/site';
import type { AdmissionParts } from '../admission/admit';
import { createConsumePageRateLimit, type createKeyUsage, type RateLimitSettings } from '../admission/limits';
import type { GatewayMetrics } from '../metrics';
import { describeFieldCost } from '../validation/field-costs';
import { maxFieldsPerPoint } from '../validation/validator';
import type { openSupergraph, SupergraphSettings } from './supergraph';

/** The options of a gateway that concern its pages. */
export interface PageSettings extends Pick<SupergraphSettings, 'limits' | 'formSecret'> {
  keys: Keys;
  environment: Environment;
  rates: RateLimitSettings;
  /** The title of the page `/`. Empty, the default, for Lectern's own page. */
  title?: string;
  /** OPERATOR_PASSWORD: see `parseOperators`. If empty, the pages for operators do not exist. */
  operatorPassword: string;
  /** Whether emails are written to files, because there is no mail server. */
  mailsToOutbox?: boolean;
  /** Whether browsers reach the gateway over https. */
  secureCookies: boolean;
  /** The clock of the rate limits, in milliseconds since 1970. */
  now?: () => number;
}

interface PageParts extends AdmissionParts {
  supergraph: Awaited<ReturnType<typeof openSupergraph>>;
  metrics: GatewayMetrics;
  keyUsage: ReturnType<typeof createKeyUsage>;
  isReady: () => boolean;
}

/** Opens all HTML pages: the public pages, the form to request a key, and the operators' pages. */
export function openPages(settings: PageSettings, parts: PageParts) {
  const { keys, environment, limits, formSecret, secureCookies, now = Date.now, operatorPassword: password } = settings;
  const { rateLimits, addresses, supergraph } = parts;
  const consumeBy = createConsumePageRateLimit(parts, addresses.addressOf);
  const forms = { keys, environment, formSecret, secureCookies, now };
  return [
    ...createPublicPages({
      schema() {
        if (!supergraph.isServing()) throw errors.supergraphUnavailable();
        return supergraph.current().schema;
      },
      describeCost(coordinate) {
        const cost = supergraph.current().fieldCosts.get(coordinate);
        return cost ? describeFieldCost(cost) : null;
      },
      isReady: parts.isReady,
      environment,
      title: settings.title ?? '',
      limits: { ...limits, fields: maxFieldsPerPoint * limits.complexity },
      rateLimits: settings.rates,
    }),
    ...createKeyRequestPages({ ...forms, consumeRateLimit: consumeBy(rateLimits.keyRequest) }),
    ...createAdminPages({
      ...forms,
      password,
      consumeRateLimit: consumeBy(rateLimits.signIn),
      mailsToOutbox: settings.mailsToOutbox ?? false,
      keyUsage: parts.keyUsage.today,
      clientAddress: addresses.addressOf,
      isBehindUntrustedProxy: addresses.isBehindUntrustedProxy,
    }),
  ];
}
