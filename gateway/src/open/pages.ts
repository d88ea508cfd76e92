import { errors } from '@lectern/errors';
import type { Environment, Keys } from '@lectern/keys';
import type { ReadKeyUsage } from '@lectern/site';
import { createAdminPages, createConcordancePages, createKeyRequestPages, createPublicPages } from '@lectern/site';
import type { createClientAddresses } from '../admission/address';
import type { createRateLimits, RateLimitSettings } from '../admission/limits';
import { createConsumePageRateLimit } from '../admission/limits';
import type { RateLimiter } from '../admission/rate-limiter';
import { createExecuteForPage } from '../http/page';
import type { GatewayMetrics } from '../metrics';
import type { DeployedSchemas } from '../supergraph/schemas';
import { maxFieldsPerPoint } from '../validation/validator';
import type { openSupergraph, SupergraphSettings } from './supergraph';

/** The options of a gateway that concern its pages. */
export interface PageSettings extends Pick<SupergraphSettings, 'limits' | 'formSecret'> {
  keys: Keys;
  environment: Environment;
  rates: RateLimitSettings;
  /** The password of the operators. If the password is empty, there are no pages for operators. */
  operatorPassword: string;
  /** Whether emails are written to files, because there is no mail server. */
  mailsToOutbox?: boolean;
  /** Whether browsers reach the gateway over https. */
  secureCookies: boolean;
  /** The clock of the rate limits, in milliseconds since 1970. */
  now?: () => number;
}

/** The parts of the gateway that count and limit requests. */
export interface AdmissionParts {
  rateLimiter: RateLimiter;
  rateLimits: ReturnType<typeof createRateLimits>;
  addresses: ReturnType<typeof createClientAddresses>;
}

interface PageParts extends AdmissionParts {
  supergraph: Awaited<ReturnType<typeof openSupergraph>>;
  gatewayMetrics: GatewayMetrics;
  deployedSchemas: DeployedSchemas;
  keyUsage: ReadKeyUsage;
  isReady: () => boolean;
}

/**
 * Opens the public pages, the form to request a key, the concordance pages for holders of a key,
 * and the pages for operators.
 */
export function openPages(
  settings: PageSettings,
  { rateLimiter, rateLimits, addresses, supergraph, deployedSchemas, keyUsage, gatewayMetrics, isReady }: PageParts,
) {
  const { keys, environment, limits, formSecret, secureCookies, now = Date.now } = settings;
  const consumeBy = createConsumePageRateLimit(rateLimiter, addresses.addressOf);
  const forms = { keys, environment, formSecret, secureCookies, now };
  return [
    ...createPublicPages({
      schema() {
        if (!supergraph.isServing()) throw errors.supergraphUnavailable();
        return supergraph.current().schema;
      },
      fieldCosts: () => supergraph.current().fieldCosts,
      schemaDifferences: deployedSchemas.differing,
      isReady,
      environment,
      limits: { ...limits, fields: maxFieldsPerPoint * limits.complexity },
      rateLimits: settings.rates,
    }),
    ...createKeyRequestPages({ ...forms, consumeRateLimit: consumeBy(rateLimits.keyRequest) }),
    ...createConcordancePages({
      ...forms,
      password: settings.operatorPassword,
      consumeRateLimit: consumeBy(rateLimits.signIn),
      execute: createExecuteForPage({
        supergraph,
        rateLimiter,
        rateLimits,
        addressOf: addresses.addressOf,
        metrics: gatewayMetrics,
      }),
    }),
    ...createAdminPages({
      ...forms,
      password: settings.operatorPassword,
      mailsToOutbox: settings.mailsToOutbox ?? false,
      keyUsage,
      consumeRateLimit: consumeBy(rateLimits.signIn),
      clientAddress: addresses.addressOf,
      isBehindUntrustedProxy: addresses.isBehindUntrustedProxy,
    }),
  ];
}
