import { randomUUID } from 'node:crypto';
import { errors } from '@lectern/errors';
import type { Environment, Keys } from '@lectern/keys';
import { createAdminPages, createKeyRequestPages, createPublicPages, type TextState } from '@lectern/site';
import { noSpan } from '@lectern/telemetry';
import type { AdmissionParts } from '../admission/admit';
import { createConsumePageRateLimit, type createKeyUsage, type RateLimitSettings } from '../admission/limits';
import type { TrustedDocument } from '../documents/manifest';
import { runGraphStages } from '../http/graph-stages';
import type { GatewayMetrics } from '../metrics';
import { describeFieldCost } from '../validation/field-costs';
import { maxFieldsPerPoint } from '../validation/validator';
import type { openSupergraph, SupergraphSettings } from './supergraph';

export interface PageSettings extends Pick<SupergraphSettings, 'limits' | 'formSecret'> {
  keys: Keys;
  environment: Environment;
  rates: RateLimitSettings;
  /** The title of the page `/`. Empty, the default, for Lectern's own page. */
  title?: string;
  /** The address for reports of security problems in security.txt. Empty, the default, for none. */
  securityContact?: string;
  /** OPERATOR_PASSWORD: see `parseOperators`. If empty, the pages for operators do not exist. */
  operatorPassword: string;
  /** Whether emails are written to files, because there is no mail server. */
  mailsToOutbox?: boolean;
  secureCookies: boolean;
  /** The clock of the rate limits, in milliseconds since 1970. */
  now?: () => number;
}

interface PageParts extends AdmissionParts {
  supergraph: Awaited<ReturnType<typeof openSupergraph>>;
  metrics: GatewayMetrics;
  keyUsage: ReturnType<typeof createKeyUsage>;
  isReady: () => boolean;
  /** See `createPublicPages`. */
  documents: (() => readonly TrustedDocument[]) | null;
}

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
      readTexts: () => readTexts(supergraph),
      documents: parts.documents,
      securityContact: settings.securityContact ?? '',
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

const textsQuery = '{ translations { identifier name version changedAt } }';

/** Reads the texts as a client without a key. Null without such fields, or if a subgraph is unavailable. */
async function readTexts(supergraph: PageParts['supergraph']): Promise<readonly TextState[] | null> {
  if (!supergraph.isServing()) throw errors.supergraphUnavailable();
  const params = { query: textsQuery, variables: null, operationName: null };
  const { body, codes } = await supergraph.withGraph(async (graph) => {
    const context = { requestId: randomUUID(), rights: '', span: noSpan, work: graph.createBudget({ clients: [] }) };
    return runGraphStages(graph, params, context, (response) => response);
  });
  if (codes.length > 0) return null;
  return (JSON.parse(String(body)) as { data: { translations: TextState[] } }).data.translations;
}
